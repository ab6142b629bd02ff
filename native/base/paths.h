// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/text.h"

/// Paths as text: UTF-8 everywhere, with the separators of the system.
namespace animbridge {

/// The characters that can separate the parts of a path, including a drive's colon.
#ifdef _WIN32
inline constexpr std::string_view path_separators = "/\\:";
inline constexpr char preferred_separator = '\\';
#else
inline constexpr std::string_view path_separators = "/";
inline constexpr char preferred_separator = '/';
#endif

/// The suffix of the names of programs.
#ifdef _WIN32
inline constexpr std::string_view program_suffix = ".exe";
#else
inline constexpr std::string_view program_suffix;
#endif

/// The offset of the last part of the path; the path's length if it ends with a separator.
[[nodiscard]] inline std::size_t name_begin(std::string_view path) {
    return path.find_last_of(path_separators) + 1;
}

/// The last part of the path.
[[nodiscard]] inline std::string_view name_in_path(std::string_view path) {
    return path.substr(name_begin(path));
}

/// Either may be empty.
[[nodiscard]] inline std::string joined_path(std::string_view folder, std::string_view name) {
    if (folder.empty() || folder == ".") {
        return std::string(name.empty() ? folder : name);
    }
    std::string path(folder);
    if (!name.empty() && path_separators.find(path.back()) == std::string_view::npos) {
        path += preferred_separator;
    }
    return path.append(name);
}

/// For the standard library, which does not take UTF-8 on Windows. There, bytes that are not UTF-8 become
/// U+FFFD, because no file has such a name.
[[nodiscard]] inline std::filesystem::path path_of(std::string_view utf8) {
#ifdef _WIN32
    const std::string text = to_utf8(utf8);
    return {std::u8string(text.begin(), text.end())};
#else
    return {utf8};
#endif
}

/// The inverse of path_of.
[[nodiscard]] inline std::string text_of_path(const std::filesystem::path& path) {
#ifdef _WIN32
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
#else
    return path.string();
#endif
}

}  // namespace animbridge
