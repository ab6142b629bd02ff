// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/base.h"
#include "batch/plan/plan.h"

/// Many files in one run (docs/batch.md), on threads, and in Blender processes if the request names a
/// Blender.
namespace animbridge::batch::run {

/// Runs a batch and reports on it, on the standard streams and in the files that the request names. Returns
/// the exit code: 0 nothing failed; 1 something failed or everything was skipped; 130 and 143, a signal
/// stopped it. ErrorCode::invalid_argument: the request is wrong, and nothing was done. Other errors: the run
/// could not begin.
[[nodiscard]] Result<int> run(const plan::Request& request);

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

}  // namespace animbridge::batch::run
