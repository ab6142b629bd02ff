// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/base.h"

namespace animbridge::batch {

/// The result of a merge.
struct Merged {
    std::uint64_t rows = 0;
    std::uint64_t superseded = 0;  ///< rows that a later one about the same input replaced
    std::uint64_t unreadable = 0;  ///< lines that are not rows
    /// One for each output of two inputs, which runs of shards cannot detect: "OUTPUT: INPUT and INPUT".
    std::vector<std::string> conflicts{};
};

/// Writes the newest row of each input in all ledgers, sorted by path, like a single run. If two ledgers have
/// the same input, the later ledger in the list wins. `output` may be one of the ledgers. Memory: about 150
/// bytes per row, plus its path. ErrorCode::io: a ledger cannot be read, or the output not written.
[[nodiscard]] Result<Merged> merge_ledgers(const std::vector<std::string>& ledgers,
                                           const std::string& output);

}  // namespace animbridge::batch
