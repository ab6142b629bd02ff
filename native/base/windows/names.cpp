// SPDX-License-Identifier: MIT
#include "base/windows/windows.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/base.h"
#include "base/files/files.h"

namespace animbridge {

namespace {

/// From this length on, paths need the prefix; folders already need it twelve characters before MAX_PATH.
constexpr std::size_t longest_plain_path = MAX_PATH - 12;

std::wstring with_prefix(const std::wstring& absolute) {
    if (absolute.starts_with(L"\\\\?\\") || absolute.starts_with(L"\\\\.\\")) {
        return absolute;
    }
    return absolute.starts_with(L"\\\\") ? L"\\\\?\\UNC" + absolute.substr(1) : L"\\\\?\\" + absolute;
}

std::wstring absolute_path(const std::wstring& path) {
    std::wstring full(::GetFullPathNameW(path.c_str(), 0, nullptr, nullptr), L'\0');
    full.resize(::GetFullPathNameW(path.c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr));
    return full;
}

}  // namespace

std::wstring wide_of(std::string_view utf8) {
    const int size = static_cast<int>(utf8.size());
    const int length = ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, nullptr, 0);
    std::wstring wide(static_cast<std::size_t>(length), L'\0');
    ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, wide.data(), length);
    return wide;
}

std::string utf8_of(std::wstring_view wide) {
    const int size = static_cast<int>(wide.size());
    const int length = ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, nullptr, 0, nullptr, nullptr);
    std::string utf8(static_cast<std::size_t>(length), '\0');
    ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, utf8.data(), length, nullptr, nullptr);
    return utf8;
}

Result<std::wstring> wide_path(const std::string& path) {
    if (!is_utf8(path)) {
        return io_error(path, "the name is not UTF-8, as names are here");
    }
    if (path.find('\0') != std::string::npos) {
        return io_error(path, "the name contains a NUL character, which no name may have");
    }
    std::wstring wide = wide_of(path);
    if (wide.size() < longest_plain_path) {
        return wide;
    }
    return with_prefix(absolute_path(wide));
}

std::string system_message(DWORD code) {
    static constexpr std::array<std::pair<DWORD, const char*>, 18> messages = {{
        {ERROR_FILE_NOT_FOUND, "No such file or directory"},
        {ERROR_PATH_NOT_FOUND, "No such file or directory"},
        {ERROR_INVALID_NAME, "The name is not allowed on Windows"},
        {ERROR_BAD_PATHNAME, "The name is not allowed on Windows"},
        {ERROR_DIRECTORY, "The name is not allowed on Windows"},
        {ERROR_FILENAME_EXCED_RANGE, "File name too long"},
        {ERROR_ACCESS_DENIED, "Permission denied. The file may be read-only, or in a protected folder"},
        {ERROR_WRITE_PROTECT, "The disk is write-protected"},
        {ERROR_SHARING_VIOLATION, "Another program has the file open. Close it there, and try again"},
        {ERROR_LOCK_VIOLATION, "Another program has locked the file. Close it there, and try again"},
        {ERROR_USER_MAPPED_FILE, "Another program has the file open. Close it there, and try again"},
        {ERROR_DISK_FULL, "No space left on device"},
        {ERROR_HANDLE_DISK_FULL, "No space left on device"},
        {ERROR_NOT_READY, "The drive is not ready"},
        {ERROR_NO_DATA, "Broken pipe"},
        {ERROR_BROKEN_PIPE, "Broken pipe"},
        {ERROR_BAD_NETPATH, "The computer in the path cannot be reached"},
        {ERROR_BAD_EXE_FORMAT, "It is not a program for this system"},
    }};
    const auto* const known =
        std::ranges::find_if(messages, [&](const auto& message) { return message.first == code; });
    return known != messages.end() ? known->second : "Windows error " + std::to_string(code);
}

tl::unexpected<Error> windows_error(const std::string& path, const std::string& doing, DWORD code) {
    return io_error(path, doing + ": " + system_message(code));
}

bool is_held_by_others(DWORD code) {
    return code == ERROR_SHARING_VIOLATION || code == ERROR_LOCK_VIOLATION || code == ERROR_USER_MAPPED_FILE;
}

}  // namespace animbridge
