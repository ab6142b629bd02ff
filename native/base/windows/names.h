// SPDX-License-Identifier: MIT
#pragma once

#include "base/windows/api.h"

#include <string>
#include <string_view>

#include "base/result.h"

/// Names and messages of Windows, which are UTF-16 there and UTF-8 here.
namespace animbridge {

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

}  // namespace animbridge
