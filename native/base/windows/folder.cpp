// SPDX-License-Identifier: MIT
#include "base/windows/windows.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "base/files/files.h"

namespace animbridge {

struct AppendFile::Opened {
    Handle file;
    std::string path;
    std::uint64_t size = 0;
};

AppendFile::AppendFile(std::unique_ptr<Opened> opened) : opened_(std::move(opened)) {}
AppendFile::AppendFile(AppendFile&&) noexcept = default;
AppendFile& AppendFile::operator=(AppendFile&&) noexcept = default;
AppendFile::~AppendFile() = default;

Result<AppendFile> AppendFile::open(const Folder& folder, const std::string& name, Begin begin) {
    const bool is_new = begin == Begin::anew;
    if (is_new) {
        TRY(const std::wstring path, path_in(folder, name));
        (void)::DeleteFileW(path.c_str());
    }
    TRY(Handle file, opened_file(folder, name, GENERIC_WRITE, FILE_SHARE_READ,
                                 is_new ? CREATE_NEW : OPEN_ALWAYS, "cannot open for writing"));
    LARGE_INTEGER size{};
    if (::SetFilePointerEx(file.get(), LARGE_INTEGER{}, &size, FILE_END) == 0) {
        return windows_error(folder.place_of(name), "cannot open for writing", ::GetLastError());
    }
    return AppendFile(std::make_unique<Opened>(
        Opened{std::move(file), folder.place_of(name), static_cast<std::uint64_t>(size.QuadPart)}));
}

Result<void> AppendFile::append(std::string_view text) {
    DWORD written = 0;
    const BOOL is_done =
        ::WriteFile(opened_->file.get(), text.data(), static_cast<DWORD>(text.size()), &written, nullptr);
    if (is_done != 0 && written == text.size()) {
        opened_->size += written;
        return {};
    }
    const DWORD problem = is_done != 0 ? DWORD{ERROR_DISK_FULL} : ::GetLastError();
    if (written > 0) {
        TRY_VOID(cut_to(opened_->size));
    }
    return windows_error(opened_->path, "cannot write", problem);
}

Result<void> AppendFile::cut_to(std::uint64_t bytes) {
    LARGE_INTEGER end{};
    end.QuadPart = static_cast<LONGLONG>(bytes);
    if (::SetFilePointerEx(opened_->file.get(), end, nullptr, FILE_BEGIN) == 0 ||
        ::SetEndOfFile(opened_->file.get()) == 0) {
        return windows_error(opened_->path, "cannot shorten", ::GetLastError());
    }
    opened_->size = bytes;
    return {};
}

Result<void> AppendFile::store() {
    if (::FlushFileBuffers(opened_->file.get()) == 0) {
        return windows_error(opened_->path, "cannot store", ::GetLastError());
    }
    return {};
}

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

namespace fs = std::filesystem;

namespace {

bool is_reparse_point(const BY_HANDLE_FILE_INFORMATION& found) {
    return (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
}

bool is_same(const BY_HANDLE_FILE_INFORMATION& a, const BY_HANDLE_FILE_INFORMATION& b) {
    return a.dwVolumeSerialNumber == b.dwVolumeSerialNumber && a.nFileIndexHigh == b.nFileIndexHigh &&
           a.nFileIndexLow == b.nFileIndexLow;
}

bool is_folder(const BY_HANDLE_FILE_INFORMATION& found) {
    return (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

/// While this is open, the folder can be neither renamed nor removed.
Handle held_folder(const std::wstring& path, DWORD flags) {
    return Handle(::CreateFileW(path.c_str(), FILE_LIST_DIRECTORY, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                nullptr, OPEN_EXISTING, flags | FILE_FLAG_BACKUP_SEMANTICS, nullptr));
}

}  // namespace

bool is_link(const Handle& file) {
    BY_HANDLE_FILE_INFORMATION found{};
    if (::GetFileInformationByHandle(file.get(), &found) == 0 || !is_reparse_point(found)) {
        return false;
    }
    FILE_ATTRIBUTE_TAG_INFO tag{};
    return ::GetFileInformationByHandleEx(file.get(), FileAttributeTagInfo, &tag, sizeof tag) == 0 ||
           IsReparseTagNameSurrogate(tag.ReparseTag) != 0;
}

std::wstring final_path(const Handle& file) {
    std::wstring path(::GetFinalPathNameByHandleW(file.get(), nullptr, 0, FILE_NAME_NORMALIZED), L'\0');
    path.resize(::GetFinalPathNameByHandleW(file.get(), path.data(), static_cast<DWORD>(path.size()),
                                            FILE_NAME_NORMALIZED));
    return path;
}

Result<std::wstring> path_in(const Folder& folder, const std::string& name) {
    if (name.empty() || name.find_first_of(path_separators) != std::string::npos) {
        return windows_error(folder.place_of(name), "cannot write", ERROR_INVALID_NAME);
    }
    TRY_VOID(wide_path(name));
    return folder.opened().path + L"\\" + wide_of(name);
}

Result<Handle> opened_file(const Folder& folder, const std::string& name, DWORD access, DWORD share,
                           DWORD creation, const std::string& doing) {
    TRY(const std::wstring path, path_in(folder, name));
    const auto open = [&](DWORD how, DWORD flags) {
        return Handle(
            ::CreateFileW(path.c_str(), access, share, nullptr, how, FILE_ATTRIBUTE_NORMAL | flags, nullptr));
    };
    Handle file = open(creation, FILE_FLAG_OPEN_REPARSE_POINT);
    BY_HANDLE_FILE_INFORMATION found{};
    if (!file.is_open() || ::GetFileInformationByHandle(file.get(), &found) == 0) {
        return windows_error(folder.place_of(name), doing, ::GetLastError());
    }
    if (is_link(file)) {
        return io_error(folder.place_of(name), link_in_the_way);
    }
    if (found.nNumberOfLinks > 1) {
        return io_error(folder.place_of(name), shared_file);
    }
    if (!is_reparse_point(found)) {
        return file;
    }
    // Its bytes are elsewhere, such as in OneDrive: only opening it without the flag reads and writes them.
    file.close();
    file = open(OPEN_EXISTING, 0);
    BY_HANDLE_FILE_INFORMATION again{};
    if (!file.is_open() || ::GetFileInformationByHandle(file.get(), &again) == 0) {
        return windows_error(folder.place_of(name), doing, ::GetLastError());
    }
    return is_same(found, again) ? Result<Handle>(std::move(file))
                                 : io_error(folder.place_of(name), link_in_the_way);
}

Result<Folder> Folder::open(const std::string& path) {
    const std::string place = path.empty() ? "." : path;
    std::error_code ignored;
    fs::create_directories(animbridge::path_of(place), ignored);
    TRY(const std::wstring wide, wide_path(place));
    Handle folder = held_folder(wide, 0);
    BY_HANDLE_FILE_INFORMATION found{};
    if (!folder.is_open() || ::GetFileInformationByHandle(folder.get(), &found) == 0) {
        return windows_error(path, "cannot make the folder", ::GetLastError());
    }
    std::wstring real = final_path(folder);
    if (!is_folder(found) || real.empty()) {
        return windows_error(path, "cannot make the folder", ERROR_DIRECTORY);
    }
    return Folder(path, std::make_shared<const Opened>(Opened{std::move(folder), std::move(real)}));
}

Result<Folder> Folder::step(const std::string& name, bool makes) const {
    TRY(std::wstring path, path_in(*this, name));
    if (makes && ::CreateDirectoryW(path.c_str(), nullptr) == 0 && ::GetLastError() != ERROR_ALREADY_EXISTS) {
        return windows_error(place_of(name), "cannot make the folder", ::GetLastError());
    }
    Handle folder = held_folder(path, FILE_FLAG_OPEN_REPARSE_POINT);
    BY_HANDLE_FILE_INFORMATION found{};
    if (!folder.is_open() || ::GetFileInformationByHandle(folder.get(), &found) == 0) {
        return windows_error(place_of(name), "cannot make the folder", ::GetLastError());
    }
    if (is_link(folder)) {
        return io_error(place_of(name), link_in_the_way);
    }
    if (!is_folder(found)) {
        return windows_error(place_of(name), "cannot make the folder", ERROR_DIRECTORY);
    }
    return Folder(place_of(name),
                  std::make_shared<const Opened>(Opened{std::move(folder), std::move(path), opened_}));
}

Result<void> Folder::rename(const std::string& from, const std::string& to) const {
    TRY(const std::wstring old_path, path_in(*this, from));
    TRY(const std::wstring new_path, path_in(*this, to));
    const DWORD problem = with_patience([&] {
        return ::MoveFileExW(old_path.c_str(), new_path.c_str(), MOVEFILE_REPLACE_EXISTING) != 0
                   ? ERROR_SUCCESS
                   : ::GetLastError();
    });
    return problem == ERROR_SUCCESS
               ? Result<void>()
               : windows_error(place_of(to), "cannot put the new file in place", problem);
}

void Folder::remove_one(const std::string& name) const {
    if (const auto path = path_in(*this, name); path && ::DeleteFileW(path->c_str()) == 0) {
        ::RemoveDirectoryW(path->c_str());
    }
}

bool Folder::has(const std::string& name) const {
    const auto path = path_in(*this, name);
    return path && ::GetFileAttributesW(path->c_str()) != INVALID_FILE_ATTRIBUTES;
}

std::vector<std::string> Folder::names() const {
    std::vector<std::string> found;
    std::error_code problem;
    fs::directory_iterator each(fs::path(opened_->path), problem);
    for (; !problem && each != fs::directory_iterator(); each.increment(problem)) {
        found.push_back(text_of_path(each->path().filename()));
    }
    return found;
}

}  // namespace animbridge
