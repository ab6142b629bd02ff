// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/base.h"
#include "base/files/files.h"

/// What the Windows half of base shares: handles, names in UTF-16, and folders opened by handle.

// Windows.h without unused parts, and without its macros min and max. Functions are called by the names that
// end in W, so UNICODE does not matter.
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

namespace animbridge {

/// Closes a Windows handle at the end of the scope.
class Handle {
public:
    Handle() = default;
    explicit Handle(HANDLE value) : value_(value) {}
    ~Handle() { close(); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    Handle(Handle&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }

    [[nodiscard]] HANDLE get() const { return value_; }
    /// Functions that open files return INVALID_HANDLE_VALUE on failure, others return null.
    [[nodiscard]] bool is_open() const { return value_ != nullptr && value_ != INVALID_HANDLE_VALUE; }
    void close() {
        if (is_open()) {
            ::CloseHandle(value_);
        }
        value_ = nullptr;
    }

private:
    HANDLE value_ = nullptr;
};

/// Lets read_to_end read from the handle, which the caller still owns. `path` names the file in errors.
[[nodiscard]] ReadSome reader_of(HANDLE handle, const std::string& path);

/// The size of a file on a disk; 0 for anything else, such as a pipe.
[[nodiscard]] std::size_t announced_size(HANDLE handle);

// Names and messages of Windows, which are UTF-16 there and UTF-8 here.

/// UTF-8 as UTF-16. Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::wstring wide_of(std::string_view utf8);

/// UTF-16 as UTF-8. Unpaired surrogates become U+FFFD.
[[nodiscard]] std::string utf8_of(std::wstring_view wide);

/// A path in the form that the system's functions take: absolute, and with the prefix \\?\ if it is too long
/// without. ErrorCode::io: it is not UTF-8, or contains a NUL.
[[nodiscard]] Result<std::wstring> wide_path(const std::string& path);

/// Why a system call failed, in English on every Windows. `code` comes from GetLastError().
[[nodiscard]] std::string system_message(DWORD code);

/// An ErrorCode::io about the file `path`: "cannot open: the file does not exist".
[[nodiscard]] tl::unexpected<Error> windows_error(const std::string& path, const std::string& doing,
                                                  DWORD code);

/// Whether the call may succeed a moment later: scanners and indexers keep new files open for a while.
[[nodiscard]] bool is_held_by_others(DWORD code);

/// Repeats `attempt`, which returns 0 or an error code, for up to 2 s while others hold the file open.
template <typename Attempt>
[[nodiscard]] DWORD with_patience(Attempt&& attempt) {
    constexpr DWORD longest_pause_ms = 256;
    DWORD code = attempt();
    DWORD waited_ms = 0;
    for (DWORD pause_ms = 1; is_held_by_others(code) && waited_ms < 2000; pause_ms *= 2) {
        pause_ms = pause_ms < longest_pause_ms ? pause_ms : longest_pause_ms;
        ::Sleep(pause_ms);
        waited_ms += pause_ms;
        code = attempt();
    }
    return code;
}

/// The handle is opened without sharing the right to rename or remove the folder, so that `path` stays valid.
struct Folder::Opened {
    Handle handle;
    std::wstring path;  ///< absolute, without links
    std::shared_ptr<const Opened> above{};
};

/// Whether a file opened with FILE_FLAG_OPEN_REPARSE_POINT is a symbolic link or a junction. Files and
/// folders of OneDrive and of volumes with deduplication are reparse points too, but not links.
[[nodiscard]] bool is_link(const Handle& file);

/// The path of an open file or folder after following links; empty if the system does not report it.
[[nodiscard]] std::wstring final_path(const Handle& file);

/// The path of this name in the folder. ErrorCode::io: it is not a valid name.
[[nodiscard]] Result<std::wstring> path_in(const Folder& folder, const std::string& name);

/// A file in the folder, opened with the arguments of CreateFileW. Refuses symbolic and hard links.
/// ErrorCode::io: `doing` failed, or it is not a regular file.
[[nodiscard]] Result<Handle> opened_file(const Folder& folder, const std::string& name, DWORD access,
                                         DWORD share, DWORD creation, const std::string& doing);

}  // namespace animbridge
