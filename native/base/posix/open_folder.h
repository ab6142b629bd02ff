// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <string>

#include "base/folder.h"
#include "base/posix/descriptor.h"

namespace animbridge {

// A folder need not be readable to write into it.
#ifdef O_PATH
inline constexpr int folder_access = O_PATH;
#else
inline constexpr int folder_access = O_SEARCH;
#endif

struct Folder::Opened {
    Descriptor descriptor;
};

/// A regular file in the folder, opened with openat's `flags`. Does not block, and refuses symbolic and hard
/// links. ErrorCode::io: `doing` failed, or it is not a regular file.
[[nodiscard]] Result<Descriptor> opened_file(const Folder& folder, const std::string& name, int flags,
                                             const std::string& doing);

}  // namespace animbridge
