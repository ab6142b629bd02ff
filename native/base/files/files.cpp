// SPDX-License-Identifier: MIT
#include "base/files/files.h"

#include <algorithm>

namespace animbridge {

std::string Folder::place_of(const std::string& name) const { return joined_path(path_, name); }

Result<Folder> Folder::folder(const std::string& below) const {
    Folder reached = *this;
    for (std::size_t at = 0; at < below.size();) {
        const std::size_t end = std::min(below.find_first_of(path_separators, at), below.size());
        const std::string name = below.substr(at, end - at);
        if (name == "..") {
            return io_error(place_of(below), "it leads out of its folder");
        }
        if (!name.empty() && name != ".") {
            TRY(reached, reached.step(name, true));
        }
        at = end + 1;
    }
    return reached;
}

Result<void> Folder::write(const std::string& below, ByteView bytes, NewFile begins) const {
    const std::size_t name = name_begin(below);
    TRY(const Folder folder, this->folder(below.substr(0, name)));
    return folder.write_here(below.substr(name), bytes, begins);
}

void Folder::remove(const std::string& name) const {
    if (const auto inner = step(name, false)) {
        for (const std::string& each : inner->names()) {
            inner->remove(each);
        }
    }
    remove_one(name);
}

namespace fs = std::filesystem;

namespace {

constexpr const char* ending = ".partial";

}  // namespace

Result<PartialFile> PartialFile::open(const std::string& path) {
    std::error_code ignored;
    const fs::file_status there = fs::status(path_of(path), ignored);
    if (fs::exists(there) && !fs::is_regular_file(there)) {
        return io_error(path, "it is not a regular file. Choose another path");
    }
    const bool is_link = fs::exists(there) && fs::is_symlink(path_of(path), ignored);
    const std::string target = is_link ? text_of_path(fs::canonical(path_of(path), ignored)) : path;
    std::string name(name_in_path(target));
    TRY(Folder folder, Folder::open(target.substr(0, name_begin(target))));
    TRY(AppendFile file, AppendFile::open(folder, name + ending, AppendFile::Begin::anew));
    return PartialFile(std::move(folder), std::move(name), std::move(file));
}

Result<void> PartialFile::finish() {
    file_.reset();
    return folder_.rename(name_ + ending, name_);
}

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
