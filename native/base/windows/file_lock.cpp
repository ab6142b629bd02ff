// SPDX-License-Identifier: MIT
#include "base/file_lock.h"

#include <array>
#include <cstdio>
#include <utility>

#include "base/windows/names.h"
#include "base/windows/open_folder.h"

namespace animbridge {

struct FileLock::Held {
    Handle file;
    bool is_held = false;
};

FileLock::FileLock(std::unique_ptr<Held> held) : held_(std::move(held)) {}
FileLock::FileLock(FileLock&&) noexcept = default;
FileLock& FileLock::operator=(FileLock&&) noexcept = default;
FileLock::~FileLock() = default;

bool FileLock::is_held() const { return held_->is_held; }

Result<std::optional<FileLock>> FileLock::take(const Folder& folder, const std::string& name, Kind kind,
                                               const std::string& owner) {
    TRY(Handle file, opened_file(folder, name, GENERIC_READ | GENERIC_WRITE,
                                 FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, OPEN_ALWAYS,
                                 "cannot open the lock"));
    // Others cannot read a locked range, so it is far beyond the text.
    OVERLAPPED place{};
    place.OffsetHigh = 1U << 20U;
    const DWORD flags = LOCKFILE_FAIL_IMMEDIATELY | (kind == Kind::shared ? 0U : LOCKFILE_EXCLUSIVE_LOCK);
    const bool is_held = ::LockFileEx(file.get(), flags, 0, 1, 0, &place) != 0;
    const DWORD problem = is_held ? DWORD{ERROR_SUCCESS} : ::GetLastError();
    if (problem == ERROR_LOCK_VIOLATION || problem == ERROR_IO_PENDING) {
        return std::nullopt;
    }
    DWORD written = 0;
    // The owner is only for people: a full disk does not prevent the lock.
    (void)(::SetEndOfFile(file.get()) != 0 &&
           ::WriteFile(file.get(), owner.data(), static_cast<DWORD>(owner.size()), &written, nullptr) != 0);
    return FileLock(std::make_unique<Held>(Held{std::move(file), is_held}));
}

std::string FileLock::owner_of(const std::string& path) {
    constexpr std::size_t most = 4096;
    const auto bytes = read_file(path, most);
    return bytes ? std::string(text_of(*bytes)) : "";
}

std::string this_process() {
    std::array<wchar_t, 256> host{};
    auto length = static_cast<DWORD>(host.size());
    const bool has_host = ::GetComputerNameW(host.data(), &length) != 0;
    SYSTEMTIME now{};
    ::GetSystemTime(&now);
    std::array<char, 64> time{};
    (void)std::snprintf(time.data(), time.size(), "%04u-%02u-%02u %02u:%02u:%02u UTC", unsigned{now.wYear},
                        unsigned{now.wMonth}, unsigned{now.wDay}, unsigned{now.wHour}, unsigned{now.wMinute},
                        unsigned{now.wSecond});
    return "process " + std::to_string(::GetCurrentProcessId()) +
           (has_host ? " on " + utf8_of({host.data(), length}) : "") + " since " + time.data();
}

}  // namespace animbridge
