// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/huge_pages.h"

namespace animbridge {

namespace {

tl::unexpected<Error> io_error(const std::string& path, const std::string& doing, int error_number) {
    Error error{ErrorCode::io, doing + ": " + std::generic_category().message(error_number)};
    error.file = path;
    return tl::unexpected<Error>(std::move(error));
}

/// Closes a file descriptor at the end of the scope.
class Descriptor {
public:
    explicit Descriptor(int value) : value_(value) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;

    [[nodiscard]] int get() const { return value_; }
    [[nodiscard]] bool is_open() const { return value_ >= 0; }
    int close() {
        const int result = is_open() ? ::close(value_) : 0;
        value_ = -1;
        return result;
    }

private:
    int value_;
};

Result<void> write_all(int descriptor, ByteView bytes, const std::string& path) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return io_error(path, "cannot write", errno);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
}

/// The permissions of the file that is replaced, or what a new file gets under the process's umask.
mode_t target_mode(const std::string& path) {
    struct stat existing {};
    if (::stat(path.c_str(), &existing) == 0) {
        return existing.st_mode & 07777U;
    }
    // The umask can only be read by setting it, which would be a race between threads; 0644 is what nearly
    // every user has.
    return 0644U;
}

}  // namespace

Result<Bytes> read_file(const std::string& path) {
    // POSIX made it variadic.
    const Descriptor file(
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC));  // NOLINT(cppcoreguidelines-pro-type-vararg)
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
    constexpr std::size_t small_step = 4096;
    constexpr std::size_t step =
        std::size_t{256} * 1024;  // still in the cache when it is filled after it was made
    Bytes bytes;
    if (status.st_size > 0 && static_cast<std::uint64_t>(status.st_size) <= max_file_bytes) {
        bytes.reserve(static_cast<std::size_t>(status.st_size) + 1);  // one more shows the end
        prefer_huge_pages(bytes.data(), bytes.capacity());
    }
    std::size_t filled = 0;
    // Read until the end rather than up to st_size: pipes say 0, and a file may grow meanwhile.
    while (true) {
        const std::size_t left = bytes.capacity() - filled;
        bytes.resize(filled + (left == 0 ? small_step : std::min(left, step)));
        const ssize_t got = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
        if (got < 0 && errno != EINTR) {
            return io_error(path, "cannot read", errno);
        }
        if (got == 0) {
            bytes.resize(filled);
            return bytes;
        }
        filled += got > 0 ? static_cast<std::size_t>(got) : 0;
        if (filled > max_file_bytes) {
            return io_error(path, "larger than 4 GiB", EFBIG);
        }
    }
}

Result<void> write_file(const std::string& path, ByteView bytes) {
    std::string neighbour = path + ".XXXXXX";
    Descriptor file(::mkostemp(neighbour.data(), O_CLOEXEC));
    if (!file.is_open()) {
        return io_error(path, "cannot create a file beside it", errno);
    }
    Result<void> result = write_all(file.get(), bytes, path);
    if (result && ::fchmod(file.get(), target_mode(path)) != 0) {
        result = io_error(path, "cannot set permissions", errno);
    }
    if (file.close() != 0 && result) {
        result = io_error(path, "cannot finish writing", errno);
    }
    if (result && ::rename(neighbour.c_str(), path.c_str()) != 0) {
        result = io_error(path, "cannot put the new file in place", errno);
    }
    if (!result) {
        ::unlink(neighbour.c_str());
    }
    return result;
}

}  // namespace animbridge
