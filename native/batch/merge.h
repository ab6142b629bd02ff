// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace animbridge::batch {

/// What a merge made.
struct Merged {
    std::uint64_t rows = 0;
    std::uint64_t superseded = 0;  ///< rows that a later one about the same input replaced
    std::uint64_t unreadable = 0;  ///< lines that are no rows
    /// Of each output of two inputs, which runs of shards cannot notice: "OUTPUT: INPUT and INPUT".
    std::vector<std::string> conflicts{};
};

/// Writes the newest row of each input of all ledgers, sorted by path: what a single run would have written.
/// Of two ledgers about the same input, the later one in the list wins. `output` may be one of the ledgers.
/// Memory: about 150 bytes a row, and its path. ErrorCode::io: a ledger cannot be read, or the output not
/// written.
[[nodiscard]] Result<Merged> merge_ledgers(const std::vector<std::string>& ledgers,
                                           const std::string& output);

}  // namespace animbridge::batch
