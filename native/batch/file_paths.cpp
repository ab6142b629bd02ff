// SPDX-License-Identifier: MIT
#include "batch/file_paths.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/files/files.h"

namespace animbridge::batch {

namespace fs = std::filesystem;

namespace {

/// The dot before the suffix; npos: there is none.
std::size_t dot_in(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == 0 || dot == std::string_view::npos || dot + 1 == name.size() ? std::string_view::npos : dot;
}

std::string of_no_file(const std::string& path, std::error_code problem) {
    std::error_code ignored;
    if (!fs::is_symlink(path_of(path), ignored)) {
        return "unreadable (" + problem.message() + ")";
    }
    if (problem == std::errc::too_many_symbolic_link_levels) {
        return "a symbolic link that leads back to itself";
    }
    return "a symbolic link that leads nowhere (" + text_of_path(fs::read_symlink(path_of(path), ignored)) +
           ")";
}

}  // namespace

std::string tidy_path(std::string_view path) {
    const fs::path given = path_of(path);
    fs::path tidy = given.root_path();
    for (const fs::path& part : given.relative_path()) {
        if (!part.empty() && part != ".") {
            tidy /= part;
        }
    }
    return tidy.empty() ? "." : text_of_path(tidy.make_preferred());
}

std::string with_slashes(std::string path) {
    if constexpr (preferred_separator != '/') {
        std::replace(path.begin(), path.end(), preferred_separator, '/');
    }
    return path;
}

std::string_view suffix_of(std::string_view name) {
    const std::size_t dot = dot_in(name);
    return dot == std::string_view::npos ? std::string_view() : name.substr(dot);
}

std::string_view stem_of(std::string_view name) { return name.substr(0, dot_in(name)); }

std::string real_path(const std::string& path) {
    std::error_code problem;
    const fs::path real = fs::weakly_canonical(fs::absolute(path_of(path), problem), problem);
    return text_of_path(problem ? fs::absolute(path_of(path), problem).lexically_normal() : real);
}

bool is_in_folder(std::string_view real, std::string_view folder) {
    return real.starts_with(folder) && (real.size() == folder.size() ||
                                        path_separators.find(real[folder.size()]) != std::string_view::npos ||
                                        path_separators.find(folder.back()) != std::string_view::npos);
}

std::string file_type_of(const std::string& path) {
    std::error_code problem;
    const fs::file_status status = fs::status(path_of(path), problem);
    switch (status.type()) {
        case fs::file_type::regular:
            return "";
        case fs::file_type::directory:
            return "a folder";
        case fs::file_type::fifo:
            return "a named pipe (FIFO)";
        case fs::file_type::socket:
            return "a socket";
        case fs::file_type::character:
        case fs::file_type::block:
            return "a device";
        default:
            return of_no_file(path,
                              problem ? problem : make_error_code(std::errc::no_such_file_or_directory));
    }
}

PathKey key_of(std::string_view path) {
    const Sha256 digest = sha256(view_of(path));
    PathKey key{};
    std::memcpy(key.data(), digest.data(), sizeof key);
    return key;
}

}  // namespace animbridge::batch
