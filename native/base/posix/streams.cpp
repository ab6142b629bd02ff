// SPDX-License-Identifier: MIT
#include "base/streams.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/posix/descriptor.h"
#include "base/read_to_end.h"

namespace animbridge {

namespace {

int descriptor_of(Stream stream) { return stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO; }

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

std::string write_to(Stream stream, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor_of(stream), text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return std::generic_category().message(errno);
        }
        text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return "";
}

Result<Bytes> read_input_stream(std::size_t most_bytes) {
    const std::string name = "standard input";
    struct stat status {};
    const bool has_size = ::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
    return read_to_end(reader_of(STDIN_FILENO, name), has_size ? static_cast<std::size_t>(status.st_size) : 0,
                       most_bytes, name);
}

bool is_terminal(Stream stream) { return ::isatty(descriptor_of(stream)) != 0; }

bool is_output_stream(const std::string& path) {
    struct stat output {};
    struct stat named {};
    return ::fstat(STDOUT_FILENO, &output) == 0 && ::stat(path.c_str(), &named) == 0 &&
           output.st_dev == named.st_dev && output.st_ino == named.st_ino;
}

std::vector<std::string> utf8_arguments(int count, const char* const* given) {
    return {given, given + count};
}

}  // namespace animbridge
