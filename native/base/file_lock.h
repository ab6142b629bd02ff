// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/folder.h"

namespace animbridge {

/// A lock that other processes respect, on other machines too where the file system has locks among machines.
/// The system frees it when the process ends, however it ends. The file stays.
class FileLock {
public:
    enum class Kind : std::uint8_t { shared, exclusive };

    /// nullopt: another process has it. ErrorCode::io: the file cannot be made, or is not a file of this
    /// folder alone. `owner` is stored in the file. Makes the file if there is none. On a file system without
    /// locks the lock is given, and not held.
    [[nodiscard]] static Result<std::optional<FileLock>> take(const Folder& folder, const std::string& name,
                                                              Kind kind, const std::string& owner);
    /// What the last process that got the lock stored in the file; "" if that cannot be read.
    [[nodiscard]] static std::string owner_of(const std::string& path);

    FileLock(FileLock&&) noexcept;
    FileLock& operator=(FileLock&&) noexcept;
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock();

    /// False on a file system without locks.
    [[nodiscard]] bool is_held() const;

private:
    struct Held;
    explicit FileLock(std::unique_ptr<Held> held);
    std::unique_ptr<Held> held_;
};

/// "process 4711 on render03 since 2026-05-04 12:30:00 UTC": this process, now.
[[nodiscard]] std::string this_process();

}  // namespace animbridge
