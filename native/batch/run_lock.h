// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "base/files/files.h"
#include "batch/request.h"

namespace animbridge::batch {

/// The locks of a run: of the whole folder, or of one shard in it.
struct Locks {
    std::optional<FileLock> folder{};
    std::optional<FileLock> shard{};
};

/// `own`: the folder of ledgers and locks. ErrorCode::io: another run has locked the folder or the shard.
[[nodiscard]] Result<Locks> locked(const Request& request, const Folder& own);

}  // namespace animbridge::batch
