// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/folder.h"

namespace animbridge {

/// A file that only grows, line by line: a log that survives if its process ends at any moment. Use it from
/// one thread at a time.
class AppendFile {
public:
    /// `anew` first removes a file of this name.
    enum class Begin : std::uint8_t { with_what_is_there, anew };

    /// Creates the file if it is missing. ErrorCode::io: it cannot be opened, is not a regular file, or has
    /// another name elsewhere.
    [[nodiscard]] static Result<AppendFile> open(const Folder& folder, const std::string& name, Begin begin);

    AppendFile(AppendFile&&) noexcept;
    AppendFile& operator=(AppendFile&&) noexcept;
    AppendFile(const AppendFile&) = delete;
    AppendFile& operator=(const AppendFile&) = delete;
    ~AppendFile();

    /// Hands the whole text to the system in one call. If the disk has room for only a part, that part is
    /// removed again. ErrorCode::io: nothing was added.
    [[nodiscard]] Result<void> append(std::string_view text);

    /// Truncates the file to its first `bytes`.
    [[nodiscard]] Result<void> cut_to(std::uint64_t bytes);

    /// Waits until the file is on the disk, if the file system can report that.
    [[nodiscard]] Result<void> store();

private:
    struct Opened;
    explicit AppendFile(std::unique_ptr<Opened> opened);
    std::unique_ptr<Opened> opened_;
};

}  // namespace animbridge
