// SPDX-License-Identifier: MIT
#include "base/append_file.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/file_error.h"
#include "base/posix/open_folder.h"

namespace animbridge {

struct AppendFile::Opened {
    Descriptor file;
    std::string path;
    off_t size = 0;
};

AppendFile::AppendFile(std::unique_ptr<Opened> opened) : opened_(std::move(opened)) {}
AppendFile::AppendFile(AppendFile&&) noexcept = default;
AppendFile& AppendFile::operator=(AppendFile&&) noexcept = default;
AppendFile::~AppendFile() = default;

Result<AppendFile> AppendFile::open(const Folder& folder, const std::string& name, Begin begin) {
    const bool is_new = begin == Begin::anew;
    if (is_new) {
        (void)::unlinkat(folder.opened().descriptor.get(), name.c_str(), 0);
    }
    TRY(Descriptor file, opened_file(folder, name, O_WRONLY | O_CREAT | O_APPEND | (is_new ? O_EXCL : 0),
                                     "cannot open for writing"));
    const off_t size = ::lseek(file.get(), 0, SEEK_END);
    return AppendFile(std::make_unique<Opened>(Opened{std::move(file), folder.place_of(name), size}));
}

Result<void> AppendFile::append(std::string_view text) {
    ssize_t written = -1;
    do {
        written = ::write(opened_->file.get(), text.data(), text.size());
    } while (written < 0 && errno == EINTR);
    if (written == static_cast<ssize_t>(text.size())) {
        opened_->size += written;
        return {};
    }
    // A call that wrote only a part had no room for more: the next one would report that.
    const int problem = written < 0 ? errno : ENOSPC;
    if (written > 0 && ::ftruncate(opened_->file.get(), opened_->size) != 0) {
        return io_error(opened_->path, "cannot take back half a line", errno);
    }
    return io_error(opened_->path, "cannot write", problem);
}

Result<void> AppendFile::cut_to(std::uint64_t bytes) {
    if (::ftruncate(opened_->file.get(), static_cast<off_t>(bytes)) != 0) {
        return io_error(opened_->path, "cannot shorten", errno);
    }
    opened_->size = static_cast<off_t>(bytes);
    return {};
}

Result<void> AppendFile::store() {
    if (::fsync(opened_->file.get()) != 0 && errno != EINVAL && errno != ENOTSUP && errno != ENOSYS) {
        return io_error(opened_->path, "cannot store", errno);
    }
    return {};
}

}  // namespace animbridge
