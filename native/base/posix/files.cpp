// SPDX-License-Identifier: MIT
#include "base/posix/posix.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include "base/files/files.h"

namespace animbridge {

ReadSome reader_of(int descriptor, const std::string& path) {
    return [descriptor, path](std::uint8_t* into, std::size_t size) -> Result<std::size_t> {
        ssize_t got = -1;
        do {
            got = ::read(descriptor, into, size);
        } while (got < 0 && errno == EINTR);
        if (got < 0) {
            return io_error(path, "cannot read", errno);
        }
        return static_cast<std::size_t>(got);
    };
}

Result<Bytes> read_file(const std::string& path, std::size_t most_bytes) {
    // POSIX made it variadic. NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!file.is_open()) {
        return io_error(path, "cannot open", errno);
    }
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) {
        return io_error(path, "cannot read", errno);
    }
    if (S_ISDIR(status.st_mode)) {
        return io_error(path, "cannot read", EISDIR);
    }
    const std::size_t announced = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
    if (announced > most_bytes) {
        return file_too_large(path, std::to_string(announced), most_bytes);
    }
    return read_to_end(reader_of(file.get(), path), announced, most_bytes, path);
}

// POSIX made open and openat variadic. NOLINTBEGIN(cppcoreguidelines-pro-type-vararg)

namespace {

using Status = struct stat;

/// What is written, where, and the file that it replaces.
struct Writing {
    const std::string& path;  ///< as the caller gave it
    ByteView bytes;
    const Descriptor& folder;
    const std::string& name;         ///< within the folder
    std::optional<Status> existing;  ///< the status of the file that is replaced

    [[nodiscard]] mode_t mode() const { return existing ? existing->st_mode & 0777U : 0666U; }
    [[nodiscard]] tl::unexpected<Error> fail(const std::string& doing, int error_number) const {
        return io_error(path, doing, error_number);
    }
};

Result<void> write_all(int descriptor, ByteView bytes, const std::string& path) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return io_error(path, "cannot write", errno);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
}

/// Writes into the target itself, for a FIFO, a device, a terminal or an open file without a name.
Result<void> write_into(const std::string& path, ByteView bytes) {
    Descriptor target(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY));
    if (!target.is_open()) {
        return io_error(path, "cannot open for writing", errno);
    }
    const PipeSignalHold hold;
    auto written = write_all(target.get(), bytes, path);
    if (target.close() != 0 && written) {
        return io_error(path, "cannot finish writing", errno);
    }
    return written;
}

/// The folder part of a path with its slash; "" for the current folder.
std::string folder_part(const std::string& path) { return path.substr(0, path.find_last_of('/') + 1); }

/// Follows symbolic links at the end of the path, even to a target that does not exist yet.
std::string followed(std::string path) {
    constexpr int most_links = 40;  // the limit of Linux: stat has already refused longer chains
    std::array<char, PATH_MAX> link{};
    for (int links = 0; links < most_links; ++links) {
        const ssize_t length = ::readlink(path.c_str(), link.data(), link.size());
        if (length < 0) {
            break;
        }
        const std::string to(link.data(), static_cast<std::size_t>(length));
        path = to.starts_with('/') ? to : folder_part(path).append(to);
    }
    return path;
}

/// A temporary file in the target's folder, with a random name of 32 characters. The destructor removes it
/// unless take_place has moved it to the target.
class Neighbour {
public:
    /// Calls `create` with new names until one is free. If none is, errno says why.
    template <typename Create>
    Neighbour(const Descriptor& folder, Create&& create) : folder_(folder.get()) {
        for (int tries = 0; tries < 100 && !exists_; ++tries) {
            make_name();
            exists_ = create(name_.data());
            if (!exists_ && errno != EEXIST) {
                break;
            }
        }
    }
    ~Neighbour() {
        if (exists_) {
            ::unlinkat(folder_, name_.data(), 0);
        }
    }
    Neighbour(const Neighbour&) = delete;
    Neighbour& operator=(const Neighbour&) = delete;

    [[nodiscard]] bool exists() const { return exists_; }

    Result<void> take_place(const Writing& writing) {
        if (::renameat(folder_, name_.data(), folder_, writing.name.c_str()) != 0) {
            return writing.fail("cannot put the new file in place", errno);
        }
        exists_ = false;
        return {};
    }

private:
    void make_name() {
        std::array<unsigned char, 8> random{};
        if (::getentropy(random.data(), random.size()) != 0) {
            random.fill(0);  // O_EXCL still rules out collisions
        }
        std::size_t at = 12;  // after ".animbridge."
        for (const unsigned char byte : random) {
            constexpr std::string_view digits = "0123456789abcdef";
            name_[at++] = digits[byte >> 4U];
            name_[at++] = digits[byte & 15U];
        }
    }

    int folder_;
    bool exists_ = false;
    std::array<char, 33> name_{".animbridge.0123456789abcdef.tmp"};
};

/// Succeeds on file systems that do not support fsync.
bool sync(int descriptor) {
    return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS;
}

/// Sets the permissions and waits for the disk, before the file replaces another one.
Result<void> finish(const Descriptor& file, const Writing& writing) {
    if (!writing.existing) {
        return {};
    }
    const mode_t wanted = writing.existing->st_mode & 07777U;
    Status made{};
    if (::fstat(file.get(), &made) != 0 ||
        ((made.st_mode & 07777U) != wanted && ::fchmod(file.get(), wanted) != 0)) {
        return writing.fail("cannot set permissions", errno);
    }
    return sync(file.get()) ? Result<void>() : writing.fail("cannot store", errno);
}

/// A file without a name, which the kernel removes with its last descriptor. Not open if the file system does
/// not support unnamed files.
Descriptor unnamed_file(const Writing& writing) {
#ifdef O_TMPFILE
    return Descriptor(::openat(writing.folder.get(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, writing.mode()));
#else
    (void)writing;
    return Descriptor(-1);
#endif
}

/// Gives the unnamed file its name. nullopt: this system cannot, and nothing has changed.
std::optional<Result<void>> link_into_place(const Descriptor& file, const Writing& writing) {
    const std::string unnamed = "/proc/self/fd/" + std::to_string(file.get());
    const auto link = [&](const char* name) {
        return ::linkat(AT_FDCWD, unnamed.c_str(), writing.folder.get(), name, AT_SYMLINK_FOLLOW) == 0;
    };
    const SignalHold hold;
    if (!writing.existing) {
        if (link(writing.name.c_str())) {
            return Result<void>();
        }
        if (errno != EEXIST) {
            return std::nullopt;
        }
    }
    // No system call replaces a file by an unnamed one, so the unnamed file gets a temporary name first.
    Neighbour neighbour(writing.folder, link);
    return neighbour.exists() ? std::optional(neighbour.take_place(writing)) : std::nullopt;
}

/// Stops between steps if a signal has asked the process to end.
Result<void> write_in_steps(const Descriptor& file, const Writing& writing, const SignalHold& hold) {
    constexpr std::size_t step = std::size_t{1} << 20U;
    for (ByteView rest = writing.bytes; !rest.empty();) {
        const ByteView part = rest.first(std::min(step, rest.size()));
        TRY_VOID(write_all(file.get(), part, writing.path));
        if (hold.is_asked_to_end()) {
            return writing.fail("cannot write", EINTR);
        }
        rest = rest.subspan(part.size());
    }
    return {};
}

Result<void> write_named(const Writing& writing) {
    const SignalHold hold;  // destroyed last, so that signals wait for the cleanup
    Descriptor file(-1);
    Neighbour neighbour(writing.folder, [&](const char* name) {
        Descriptor made(
            ::openat(writing.folder.get(), name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, writing.mode()));
        std::swap(file, made);
        return file.is_open();
    });
    if (!neighbour.exists()) {
        return writing.fail("cannot create a file in its folder", errno);
    }
    auto result = write_in_steps(file, writing, hold).and_then([&] { return finish(file, writing); });
    if (file.close() != 0 && result) {
        result = writing.fail("cannot finish writing", errno);
    }
    return result ? neighbour.take_place(writing) : result;
}

Result<void> write_new_file(const Writing& writing, NewFile begins) {
    if (begins == NewFile::unnamed_where_possible) {
        if (const Descriptor file = unnamed_file(writing); file.is_open()) {
            auto written = write_all(file.get(), writing.bytes, writing.path).and_then([&] {
                return finish(file, writing);
            });
            if (!written) {
                return written;
            }
            if (auto linked = link_into_place(file, writing)) {
                return *linked;
            }
        }
    }
    return write_named(writing);
}

/// Whether the path leads to `existing` other than by its name, like /dev/stdout to an open file that was
/// deleted.
bool is_reached_otherwise(const Descriptor& folder, const std::string& name, const Status& existing) {
    Status named{};
    return ::fstatat(folder.get(), name.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0 ||
           named.st_dev != existing.st_dev || named.st_ino != existing.st_ino;
}

}  // namespace

Result<void> write_file(const std::string& path, ByteView bytes, NewFile begins) {
    Status status{};
    std::optional<Status> existing;
    if (::stat(path.c_str(), &status) == 0) {
        existing = status;
    } else if (errno != ENOENT) {
        return io_error(path, "cannot write", errno);
    }
    if (existing && S_ISDIR(existing->st_mode)) {
        return io_error(path, "cannot write", EISDIR);
    }
    if (existing && !S_ISREG(existing->st_mode)) {
        return write_into(path, bytes);
    }
    const std::string target = followed(path);
    const std::string folder_name = folder_part(target);
    const std::string name = target.substr(folder_name.size());
    if (name.empty()) {
        return io_error(path, "cannot write", target.empty() ? ENOENT : EISDIR);
    }
    const Descriptor folder(
        ::open(folder_name.empty() ? "." : folder_name.c_str(), folder_access | O_DIRECTORY | O_CLOEXEC));
    if (!folder.is_open()) {
        return io_error(path, "cannot open its folder", errno);
    }
    if (existing && is_reached_otherwise(folder, name, *existing)) {
        return write_into(path, bytes);
    }
    return write_new_file({path, bytes, folder, name, existing}, begins);
}

Result<void> Folder::write_here(const std::string& name, ByteView bytes, NewFile begins) const {
    const std::string path = place_of(name);
    const Descriptor& folder = opened_->descriptor;
    Status status{};
    std::optional<Status> existing;
    if (::fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
        existing = status;
    } else if (errno != ENOENT) {
        return io_error(path, "cannot write", errno);
    }
    if (existing && !S_ISREG(existing->st_mode)) {
        return io_error(path, S_ISLNK(existing->st_mode) ? link_in_the_way : not_a_file);
    }
    return write_new_file({path, bytes, folder, name, existing}, begins);
}

}  // namespace animbridge

// NOLINTEND(cppcoreguidelines-pro-type-vararg)
