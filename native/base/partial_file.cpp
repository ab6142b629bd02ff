// SPDX-License-Identifier: MIT
#include "base/partial_file.h"

#include <filesystem>
#include <utility>

#include "base/file_error.h"
#include "base/paths.h"

namespace animbridge {

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

}  // namespace animbridge
