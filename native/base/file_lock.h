// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/folder.h"

namespace animbridge {

/// A lock that other processes respect; also those on other machines, if the file system supports that. The
/// system releases it when the process ends, however it ends. The file stays.
class FileLock {
public:
    enum class Kind : std::uint8_t { shared, exclusive };

    /// Creates the file if it is missing, and stores `owner` in it. nullopt: another process holds the lock.
    /// ErrorCode::io: the file cannot be created, is not a regular file, or has another name elsewhere. On a
    /// file system without locks, this returns a lock that is not held.
    [[nodiscard]] static Result<std::optional<FileLock>> take(const Folder& folder, const std::string& name,
                                                              Kind kind, const std::string& owner);
    /// What the last process that got the lock stored in the file; "" if it cannot be read.
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

/// Describes this process, now: "process 4711 on render03 since 2026-05-04 12:30:00 UTC".
[[nodiscard]] std::string this_process();

}  // namespace animbridge
