// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "base/append_file.h"

namespace animbridge {

/// A file that grows under its name with ".partial" at the end, and gets its name when it is complete.
class PartialFile {
public:
    /// The folders of `path` are made, and links followed. ErrorCode::io: it cannot be made, or another thing
    /// than a file has the path, which a rename would replace.
    [[nodiscard]] static Result<PartialFile> open(const std::string& path);

    /// As AppendFile::append.
    [[nodiscard]] Result<void> append(std::string_view text) { return file_->append(text); }
    /// As AppendFile::store.
    [[nodiscard]] Result<void> store() { return file_->store(); }
    /// Gives it its name. The last call.
    [[nodiscard]] Result<void> finish();

private:
    PartialFile(Folder folder, std::string name, AppendFile file)
        : folder_(std::move(folder)), name_(std::move(name)), file_(std::move(file)) {}

    Folder folder_;
    std::string name_;
    std::optional<AppendFile> file_;
};

}  // namespace animbridge
