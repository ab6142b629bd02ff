// SPDX-License-Identifier: MIT
#include "base/file_lock.h"

#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <utility>

#include "base/posix/open_folder.h"

namespace animbridge {

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

}  // namespace animbridge
