// SPDX-License-Identifier: MIT
#include "base/partial_file.h"

#include <utility>

#include "base/paths.h"

namespace animbridge {

namespace {

constexpr const char* ending = ".partial";

}  // namespace

Result<PartialFile> PartialFile::open(const std::string& path) {
    std::string name(name_in_path(path));
    TRY(Folder folder, Folder::open(path.substr(0, name_begin(path))));
    TRY(AppendFile file, AppendFile::open(folder, name + ending, AppendFile::Begin::anew));
    return PartialFile(std::move(folder), std::move(name), std::move(file));
}

Result<void> PartialFile::finish() {
    file_.reset();
    return folder_.rename(name_ + ending, name_);
}

}  // namespace animbridge
