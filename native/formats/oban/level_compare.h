// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/job.h"
#include "base/result.h"
#include "formats/oban/level.h"
#include "model/comparison.h"

namespace animbridge::oban {

/// Plays every OBAN that two levels have in common.
struct LevelDifference {
    Comparison total{};                           ///< a "joint" for each OBAN that differs
    std::vector<std::string> differing_fields{};  ///< "name: field", header fields of the records
};

/// OBANs match by name, unnamed ones by instance number; if several have one name, only the first is
/// compared. Instances that share their bytes are compared once. Errors: those of compare() for two records,
/// with the OBAN's name.
[[nodiscard]] Result<LevelDifference> compare(const Level& a, const Level& b, const Job& job);

}  // namespace animbridge::oban
