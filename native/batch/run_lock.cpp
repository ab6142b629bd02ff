// SPDX-License-Identifier: MIT
#include "batch/run_lock.h"

#include "base/files/files.h"
#include "batch/console.h"

namespace animbridge::batch {

namespace {

Result<FileLock> taken(const Folder& own, const std::string& name, FileLock::Kind kind,
                       const std::string& out) {
    TRY(auto lock, FileLock::take(own, name, kind, this_process()));
    if (lock) {
        if (!lock->is_held()) {
            complain(out + ": the file system has no locks. Make sure that no other run writes there");
        }
        return std::move(*lock);
    }
    const std::string owner = FileLock::owner_of(own.place_of(name));
    return io_error(out, "another run writes there: " + (owner.empty() ? "its owner is not known" : owner) +
                             ". Wait for it, or choose another folder");
}

}  // namespace

Result<Locks> locked(const Request& request, const Folder& own) {
    const bool is_whole = request.shard.count == 1;
    Locks locks;
    TRY(locks.folder,
        taken(own, "lock", is_whole ? FileLock::Kind::exclusive : FileLock::Kind::shared, request.out));
    if (!is_whole) {
        const std::string name =
            "lock-" + std::to_string(request.shard.number) + "-of-" + std::to_string(request.shard.count);
        TRY(locks.shard, taken(own, name, FileLock::Kind::exclusive, request.out));
    }
    return locks;
}

}  // namespace animbridge::batch
