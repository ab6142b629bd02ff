// SPDX-License-Identifier: MIT
#include "batch/own_folder.h"

#include <filesystem>

#include "base/file_error.h"
#include "base/paths.h"
#include "batch/console.h"
#include "batch/ledger.h"

namespace animbridge::batch {

namespace fs = std::filesystem;

namespace {

Result<FileLock> taken(const std::string& path, FileLock::Kind kind, const std::string& out) {
    TRY(auto lock, FileLock::take(path, kind, this_process()));
    if (lock) {
        if (!lock->is_held()) {
            complain(out + ": the file system has no locks. Make sure that no other run writes there");
        }
        return std::move(*lock);
    }
    const std::string owner = FileLock::owner_of(path);
    return io_error(out, "another run writes there: " + (owner.empty() ? "its owner is not known" : owner) +
                             ". Wait for it, or choose another folder");
}

}  // namespace

Result<Locks> locked(const Request& request, const std::string& own_folder) {
    const bool is_whole = request.shard.count == 1;
    Locks locks;
    TRY(locks.folder, taken(joined_path(own_folder, "lock"),
                            is_whole ? FileLock::Kind::exclusive : FileLock::Kind::shared, request.out));
    if (!is_whole) {
        const std::string name =
            "lock-" + std::to_string(request.shard.number) + "-of-" + std::to_string(request.shard.count);
        TRY(locks.shard, taken(joined_path(own_folder, name), FileLock::Kind::exclusive, request.out));
    }
    return locks;
}

Result<std::string> made_own_folder(const Request& request) {
    std::error_code problem;
    if (fs::exists(path_of(request.out), problem) && !fs::is_directory(path_of(request.out), problem)) {
        return fail(ErrorCode::invalid_argument, "--out " + request.out + " is a file; give a folder");
    }
    std::string folder = joined_path(request.out, own_folder_name);
    fs::create_directories(path_of(folder), problem);
    if (problem && !fs::is_directory(path_of(folder))) {
        return io_error(folder, "cannot make the folder", problem.value());
    }
    return folder;
}

}  // namespace animbridge::batch
