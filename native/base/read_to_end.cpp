// SPDX-License-Identifier: MIT
#include "base/read_to_end.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/file_error.h"
#include "base/huge_pages.h"

namespace animbridge {

namespace {

constexpr std::size_t smallest_part = std::size_t{64} * 1024;
constexpr std::size_t largest_part = std::size_t{16} * 1024 * 1024;

/// Reads until `part` has `size` bytes or the file ends. Returns true if it ended.
Result<bool> fill_part(const ReadSome& read_some, Bytes& part, std::size_t size) {
    // Small enough to stay in the cache between resize, which writes zeros, and read.
    constexpr std::size_t step = std::size_t{256} * 1024;
    part.reserve(size);
    prefer_huge_pages(part.data(), part.capacity());
    std::size_t filled = 0;
    while (filled < size) {
        part.resize(std::min(size, filled + step));
        TRY(const auto got, read_some(part.data() + filled, part.size() - filled));
        filled += got;
        if (got == 0) {
            part.resize(filled);
            return true;
        }
    }
    part.resize(filled);
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

}  // namespace

tl::unexpected<Error> file_too_large(const std::string& path, const std::string& found,
                                     std::size_t most_bytes) {
    return io_error(path, "found " + found + " bytes; at most " + std::to_string(most_bytes) + " are read");
}

Result<Bytes> read_to_end(const ReadSome& read_some, std::size_t announced, std::size_t most_bytes,
                          const std::string& path) {
    std::vector<Bytes> parts;
    std::size_t total = 0;
    std::size_t size = announced > 0 ? announced + 1 : smallest_part;  // one byte more, to see the end
    while (total <= most_bytes) {
        Bytes& part = parts.emplace_back();
        TRY(const auto ended, fill_part(read_some, part, std::min(size, most_bytes + 1 - total)));
        total += part.size();
        if (ended) {
            return joined(std::move(parts), total);
        }
        size = std::clamp(total, smallest_part, largest_part);
    }
    return file_too_large(path, "more than " + std::to_string(most_bytes), most_bytes);
}

}  // namespace animbridge
