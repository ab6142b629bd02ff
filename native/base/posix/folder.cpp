// SPDX-License-Identifier: MIT
#include "base/folder.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "base/file_error.h"
#include "base/posix/open_folder.h"

// POSIX made openat variadic. NOLINTBEGIN(cppcoreguidelines-pro-type-vararg)

namespace animbridge {

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
