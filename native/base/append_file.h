// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/folder.h"

namespace animbridge {

/// A file that only grows, line by line: a log that survives the end of its process at any moment. One thread
/// at a time.
class AppendFile {
public:
    /// `anew`: what has the name makes room for a new file.
    enum class Begin : std::uint8_t { with_what_is_there, anew };

    /// Makes the file if there is none. ErrorCode::io: it cannot be opened, or is not a file of this folder
    /// alone.
    [[nodiscard]] static Result<AppendFile> open(const Folder& folder, const std::string& name, Begin begin);

    AppendFile(AppendFile&&) noexcept;
    AppendFile& operator=(AppendFile&&) noexcept;
    AppendFile(const AppendFile&) = delete;
    AppendFile& operator=(const AppendFile&) = delete;
    ~AppendFile();

    /// Hands all of the text to the system in one call. If the disk has room for a part only, that part is
    /// taken back. ErrorCode::io: nothing was added.
    [[nodiscard]] Result<void> append(std::string_view text);

    /// Cuts the file to its first `bytes`.
    [[nodiscard]] Result<void> cut_to(std::uint64_t bytes);

    /// Waits until the file is on the disk, where the file system can say that.
    [[nodiscard]] Result<void> store();

private:
    struct Opened;
    explicit AppendFile(std::unique_ptr<Opened> opened);
    std::unique_ptr<Opened> opened_;
};

}  // namespace animbridge
