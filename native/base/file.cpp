// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <vector>

#include "base/descriptor.h"
#include "base/file_error.h"
#include "base/huge_pages.h"

namespace animbridge {

namespace {

constexpr std::size_t smallest_part = std::size_t{64} * 1024;
constexpr std::size_t largest_part = std::size_t{16} * 1024 * 1024;

tl::unexpected<Error> too_large(const std::string& path, const std::string& found, std::size_t most_bytes) {
    return io_error(path, "found " + found + " bytes; at most " + std::to_string(most_bytes) + " are read");
}

/// Reads until `part` has `size` bytes or the file ends. Returns true if it ended.
Result<bool> fill_part(int descriptor, Bytes& part, std::size_t size, const std::string& path) {
    // Small enough to stay in the cache between resize, which writes zeros, and read.
    constexpr std::size_t step = std::size_t{256} * 1024;
    part.reserve(size);
    prefer_huge_pages(part.data(), part.capacity());
    std::size_t filled = 0;
    while (filled < size) {
        part.resize(std::min(size, filled + step));
        const ssize_t got = ::read(descriptor, part.data() + filled, part.size() - filled);
        if (got < 0 && errno != EINTR) {
            return io_error(path, "cannot read", errno);
        }
        filled += got > 0 ? static_cast<std::size_t>(got) : 0;
        if (got == 0) {
            part.resize(filled);
            return true;
        }
    }
    return false;
}

/// Joins the parts in order. Frees each part as soon as it is copied, to keep the peak memory low.
Bytes joined(std::vector<Bytes> parts, std::size_t size) {
    if (parts.size() == 1) {
        return std::move(parts.front());
    }
    Bytes bytes;
    bytes.reserve(size);
    for (Bytes& part : parts) {
        bytes.insert(bytes.end(), part.begin(), part.end());
        Bytes().swap(part);
    }
    return bytes;
}

/// Reads to the end rather than up to the announced size: a pipe announces none, and a file can grow
/// meanwhile.
Result<Bytes> read_to_end(int descriptor, std::size_t announced, std::size_t most_bytes,
                          const std::string& path) {
    std::vector<Bytes> parts;
    std::size_t total = 0;
    std::size_t size = announced > 0 ? announced + 1 : smallest_part;  // one byte more, to see the end
    while (total <= most_bytes) {
        Bytes& part = parts.emplace_back();
        TRY(const auto ended, fill_part(descriptor, part, std::min(size, most_bytes + 1 - total), path));
        total += part.size();
        if (ended) {
            return joined(std::move(parts), total);
        }
        size = std::clamp(total, smallest_part, largest_part);
    }
    return too_large(path, "more than " + std::to_string(most_bytes), most_bytes);
}

}  // namespace

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
        return too_large(path, std::to_string(announced), most_bytes);
    }
    return read_to_end(file.get(), announced, most_bytes, path);
}

}  // namespace animbridge
