// SPDX-License-Identifier: MIT
#include "formats/scene/side_files.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace animbridge::scene {

namespace {

namespace fs = std::filesystem;

/// From UTF-8, the encoding of names in files, whatever the system's own encoding. Empty: it is not UTF-8,
/// and the system has other names.
fs::path path_of(std::string_view name) {
    try {
        return std::u8string(name.begin(), name.end());
    } catch (const std::runtime_error&) {
        return {};
    }
}

bool is_inside(const fs::path& file, const fs::path& folder) {
    return std::ranges::mismatch(folder, file).in1 == folder.end();
}

}  // namespace

std::string with_slashes(std::string_view path) {
    std::string result(path);
    std::ranges::replace(result, '\\', '/');
    while (result.starts_with("./")) {
        result.erase(0, 2);
    }
    if (result.starts_with('/') && result.find('/', 1) == std::string::npos) {
        result.erase(0, 1);
    }
    return result;
}

SideFiles::SideFiles(const std::string& folder) {
    std::error_code fault;
    if (!folder.empty()) {
        folder_ = fs::canonical(path_of(folder), fault);
    }
}

fs::path SideFiles::find(std::string_view path) const {
    const std::string text = with_slashes(path);
    const fs::path wanted = path_of(text);
    // A name with a NUL would end earlier for the system than for us.
    if (folder_.empty() || wanted.empty() || text.find('\0') != std::string::npos || wanted.is_absolute()) {
        return {};
    }
    std::error_code fault;
    fs::path found = fs::canonical(folder_ / wanted, fault);  // follows links, so that none leads outside
    if (fault || !is_inside(found, folder_) || !fs::is_regular_file(found, fault)) {
        return {};
    }
    return found;
}

std::optional<std::uintmax_t> SideFiles::size_of(std::string_view name) const {
    const fs::path found = find(name);
    std::error_code fault;
    const std::uintmax_t size = found.empty() ? 0 : fs::file_size(found, fault);
    return found.empty() || fault ? std::nullopt : std::optional(size);
}

std::optional<Bytes> SideFiles::read(std::string_view name) const {
    const auto size = size_of(name);
    std::ifstream file(find(name), std::ios::binary);
    if (!size || !file) {
        return std::nullopt;
    }
    Bytes bytes(*size);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

}  // namespace animbridge::scene
