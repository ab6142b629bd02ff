// SPDX-License-Identifier: MIT
#include "base/append_file.h"

#include <utility>

#include "base/windows/names.h"
#include "base/windows/open_folder.h"

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

}  // namespace animbridge
