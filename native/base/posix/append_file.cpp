// SPDX-License-Identifier: MIT
#include "base/append_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/file_error.h"
#include "base/posix/descriptor.h"

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

Result<AppendFile> AppendFile::open(const std::string& path, Begin begin) {
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY;
    // POSIX made it variadic. NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    Descriptor file(::open(path.c_str(), begin == Begin::empty ? flags | O_TRUNC : flags, 0666));
    if (!file.is_open()) {
        return io_error(path, "cannot open for writing", errno);
    }
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) {
        return io_error(path, "cannot open for writing", errno);
    }
    return AppendFile(std::make_unique<Opened>(Opened{std::move(file), path, status.st_size}));
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
    // A call that wrote a part had no room for more: the next one would say so.
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
