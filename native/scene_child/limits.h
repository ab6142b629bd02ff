// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/result.h"

namespace animbridge::scene_child {

/// What this process may use. It cannot raise them again.
struct Limits {
    std::uint64_t memory_bytes = std::uint64_t{2} << 30U;  ///< address space; 0: no limit
    std::uint64_t cpu_seconds = 60;                        ///< 0: no limit
    std::uint64_t file_bytes = std::uint64_t{1} << 30U;    ///< of a file that it writes; 0: no limit
};

/// Sets the limits on this process: memory, processor time, size of written files, 8 MB of stack, no core
/// dumps, no new privileges, and an end with the process that started it. Comes before anything of the file
/// is read. Errors: the system refuses one (io).
[[nodiscard]] Result<void> keep_to(const Limits& limits);

/// Whether the memory limit is kept in this build: the sanitizers reserve more addresses than any limit.
[[nodiscard]] bool can_limit_memory();

}  // namespace animbridge::scene_child
