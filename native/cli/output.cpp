// SPDX-License-Identifier: MIT
#include "cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/text.h"

namespace animbridge::cli {

namespace {

/// Returns 0 or errno.
int write_whole(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return 0;
}

}  // namespace

void hold_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        // POSIX made both variadic. NOLINTBEGIN(cppcoreguidelines-pro-type-vararg)
        if (::fcntl(stream, F_GETFD) < 0) {
            // open() takes the lowest free number, which is this stream's. In the wrong direction it behaves
            // like a closed stream.
            (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
        // NOLINTEND(cppcoreguidelines-pro-type-vararg)
    }
}

void print(std::string_view text) {
    if (const int problem = write_whole(STDOUT_FILENO, text); problem != 0) {
        throw OutputFailed("cannot write to standard output: " + std::generic_category().message(problem));
    }
}

void write_to_error_stream(std::string_view text) {
    // If this fails, only the exit code can report it.
    (void)write_whole(STDERR_FILENO, text);
}

void complain(std::string_view message) {
    write_to_error_stream("animbridge: " + without_controls(message) + "\n");
}

bool is_standard_output(const std::string& path) {
    struct stat output {};
    struct stat named {};
    return ::fstat(STDOUT_FILENO, &output) == 0 && ::stat(path.c_str(), &named) == 0 &&
           output.st_dev == named.st_dev && output.st_ino == named.st_ino;
}

}  // namespace animbridge::cli
