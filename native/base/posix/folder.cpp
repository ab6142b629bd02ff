// SPDX-License-Identifier: MIT
#include "base/posix/posix.h"

#include <dirent.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <utility>

#include "base/files/files.h"

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

struct FileLock::Held {
    Descriptor file;
    bool is_held = false;
};

FileLock::FileLock(std::unique_ptr<Held> held) : held_(std::move(held)) {}
FileLock::FileLock(FileLock&&) noexcept = default;
FileLock& FileLock::operator=(FileLock&&) noexcept = default;
FileLock::~FileLock() = default;

bool FileLock::is_held() const { return held_->is_held; }

Result<std::optional<FileLock>> FileLock::take(const Folder& folder, const std::string& name, Kind kind,
                                               const std::string& owner) {
    TRY(Descriptor file, opened_file(folder, name, O_RDWR | O_CREAT, "cannot open the lock"));
    const bool is_held = ::flock(file.get(), (kind == Kind::shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0;
    if (!is_held && errno == EWOULDBLOCK) {
        return std::nullopt;
    }
    // The owner is only for people: a full disk does not prevent the lock.
    (void)(::ftruncate(file.get(), 0) == 0 && ::pwrite(file.get(), owner.data(), owner.size(), 0) >= 0);
    return FileLock(std::make_unique<Held>(Held{std::move(file), is_held}));
}

std::string FileLock::owner_of(const std::string& path) {
    constexpr std::size_t most = 4096;
    const auto bytes = read_file(path, most);
    return bytes ? std::string(text_of(*bytes)) : "";
}

std::string this_process() {
    std::array<char, 256> host{};
    const bool has_host = ::gethostname(host.data(), host.size() - 1) == 0;
    std::array<char, 32> time{};
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    const bool has_time = ::gmtime_r(&now, &utc) != nullptr &&
                          std::strftime(time.data(), time.size(), "%Y-%m-%d %H:%M:%S UTC", &utc) != 0;
    return "process " + std::to_string(::getpid()) + (has_host ? std::string(" on ") + host.data() : "") +
           (has_time ? std::string(" since ") + time.data() : "");
}

// POSIX made openat variadic. NOLINTBEGIN(cppcoreguidelines-pro-type-vararg)

namespace {

/// Why `doing` failed with errno: perhaps because of a link, for which systems use different numbers.
tl::unexpected<Error> refused(const Folder& folder, const std::string& name, const std::string& doing) {
    const int problem = errno;
    struct stat status {};
    const bool is_there =
        ::fstatat(folder.opened().descriptor.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (is_there && S_ISLNK(status.st_mode)) {
        return io_error(folder.place_of(name), link_in_the_way);
    }
    // ENXIO: a pipe without a reader, or a socket.
    return problem == ENXIO ? io_error(folder.place_of(name), not_a_file)
                            : io_error(folder.place_of(name), doing, problem);
}

}  // namespace

Result<Descriptor> opened_file(const Folder& folder, const std::string& name, int flags,
                               const std::string& doing) {
    Descriptor file(::openat(folder.opened().descriptor.get(), name.c_str(),
                             flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0666));
    struct stat status {};
    if (!file.is_open() || ::fstat(file.get(), &status) != 0) {
        return refused(folder, name, doing);
    }
    if (!S_ISREG(status.st_mode)) {
        return io_error(folder.place_of(name), not_a_file);
    }
    if (status.st_nlink > 1) {
        return io_error(folder.place_of(name), shared_file);
    }
    return file;
}

Result<Folder> Folder::open(const std::string& path) {
    const std::string place = path.empty() ? "." : path;
    std::error_code problem;
    std::filesystem::create_directories(place, problem);
    Descriptor folder(::open(place.c_str(), folder_access | O_DIRECTORY | O_CLOEXEC));
    if (!folder.is_open()) {
        return io_error(path, "cannot make the folder", problem ? problem.value() : errno);
    }
    return Folder(path, std::make_shared<const Opened>(Opened{std::move(folder)}));
}

Result<Folder> Folder::step(const std::string& name, bool makes) const {
    const int here = opened_->descriptor.get();
    const auto open = [&] {
        return Descriptor(::openat(here, name.c_str(), folder_access | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    };
    Descriptor folder = open();
    if (!folder.is_open() && errno == ENOENT && makes) {
        if (::mkdirat(here, name.c_str(), 0777) != 0 && errno != EEXIST) {
            return refused(*this, name, "cannot make the folder");
        }
        folder = open();
    }
    if (!folder.is_open()) {
        return refused(*this, name, "cannot make the folder");
    }
    return Folder(place_of(name), std::make_shared<const Opened>(Opened{std::move(folder)}));
}

Result<void> Folder::rename(const std::string& from, const std::string& to) const {
    const int here = opened_->descriptor.get();
    return ::renameat(here, from.c_str(), here, to.c_str()) == 0
               ? Result<void>()
               : io_error(place_of(to), "cannot put the new file in place", errno);
}

void Folder::remove_one(const std::string& name) const {
    const int here = opened_->descriptor.get();
    if (::unlinkat(here, name.c_str(), 0) != 0) {
        (void)::unlinkat(here, name.c_str(), AT_REMOVEDIR);
    }
}

bool Folder::has(const std::string& name) const {
    struct stat status {};
    return ::fstatat(opened_->descriptor.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

std::vector<std::string> Folder::names() const {
    std::vector<std::string> found;
    DIR* const folder =
        ::fdopendir(::openat(opened_->descriptor.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder == nullptr) {
        return found;
    }
    // Each stream belongs to one thread. NOLINTNEXTLINE(concurrency-mt-unsafe)
    while (const auto* const entry = ::readdir(folder)) {
        const std::string name = static_cast<const char*>(entry->d_name);
        if (name != "." && name != "..") {
            found.push_back(name);
        }
    }
    ::closedir(folder);
    return found;
}

}  // namespace animbridge

// NOLINTEND(cppcoreguidelines-pro-type-vararg)
