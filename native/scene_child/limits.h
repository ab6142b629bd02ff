// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/base.h"

namespace animbridge::scene_child {

/// Limits of this process. It cannot raise them again.
struct Limits {
    std::uint64_t memory_bytes = std::uint64_t{2} << 30U;  ///< address space; 0: no limit
    std::uint64_t cpu_seconds = 60;                        ///< 0: no limit
    std::uint64_t file_bytes = std::uint64_t{1} << 30U;    ///< the size of a file that it writes; 0: no limit
};

/// Sets the limits of this process: memory, processor time, size of written files, 8 MB of stack, no core
/// dumps, no new privileges, and that it ends with its parent. Call it before anything of the file is read.
/// ErrorCode::io: the system refuses a limit.
[[nodiscard]] Result<void> keep_to(const Limits& limits);

/// Whether this build enforces the memory limit: the sanitizers reserve more addresses than any limit.
[[nodiscard]] bool can_limit_memory();

}  // namespace animbridge::scene_child
