// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "base/file_lock.h"
#include "batch/request.h"

/// The folder of ledgers, locks and unfinished work, in the output folder.
namespace animbridge::batch {

/// The locks of a run: of the whole folder, or of one shard in it.
struct Locks {
    std::optional<FileLock> folder{};
    std::optional<FileLock> shard{};
};

/// Makes the folder, if need be, and gives its path. ErrorCode::invalid_argument: the output folder is a
/// file.
[[nodiscard]] Result<std::string> made_own_folder(const Request& request);

/// ErrorCode::io: another run has the folder or the shard.
[[nodiscard]] Result<Locks> locked(const Request& request, const std::string& own_folder);

}  // namespace animbridge::batch
