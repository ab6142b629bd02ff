// SPDX-License-Identifier: MIT
#include "base/folder.h"

#include <filesystem>
#include <utility>

#include "base/file_error.h"
#include "base/paths.h"
#include "base/windows/names.h"
#include "base/windows/open_folder.h"

namespace animbridge {

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
