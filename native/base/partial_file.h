// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "base/append_file.h"

namespace animbridge {

/// A file that grows under its name with ".partial" appended, and gets its real name when it is complete.
class PartialFile {
public:
    /// Creates the folders of `path`, and follows links. ErrorCode::io: the file cannot be created, or `path`
    /// is not a regular file, which a rename would replace.
    [[nodiscard]] static Result<PartialFile> open(const std::string& path);

    [[nodiscard]] Result<void> append(std::string_view text) { return file_->append(text); }
    [[nodiscard]] Result<void> store() { return file_->store(); }
    /// Gives the file its real name. Call it last.
    [[nodiscard]] Result<void> finish();

private:
    PartialFile(Folder folder, std::string name, AppendFile file)
        : folder_(std::move(folder)), name_(std::move(name)), file_(std::move(file)) {}

    Folder folder_;
    std::string name_;
    std::optional<AppendFile> file_;
};

}  // namespace animbridge
