// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/file.h"
#include "base/file_error.h"
#include "base/posix/descriptor.h"
#include "base/read_to_end.h"

namespace animbridge {

ReadSome reader_of(int descriptor, const std::string& path) {
    return [descriptor, path](std::uint8_t* into, std::size_t size) -> Result<std::size_t> {
        ssize_t got = -1;
        do {
            got = ::read(descriptor, into, size);
        } while (got < 0 && errno == EINTR);
        if (got < 0) {
            return io_error(path, "cannot read", errno);
        }
        return static_cast<std::size_t>(got);
    };
}

Result<Bytes> read_file(const std::string& path, std::size_t most_bytes) {
    // POSIX made it variadic. NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!file.is_open()) {
        return io_error(path, "cannot open", errno);
    }
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) {
        return io_error(path, "cannot read", errno);
    }
    if (S_ISDIR(status.st_mode)) {
        return io_error(path, "cannot read", EISDIR);
    }
    const std::size_t announced = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
    if (announced > most_bytes) {
        return file_too_large(path, std::to_string(announced), most_bytes);
    }
    return read_to_end(reader_of(file.get(), path), announced, most_bytes, path);
}

}  // namespace animbridge
