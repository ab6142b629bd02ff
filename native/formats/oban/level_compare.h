// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/job.h"
#include "base/result.h"
#include "formats/oban/level.h"
#include "model/comparison.h"

namespace animbridge::oban {

/// Two levels, every OBAN that both have played.
struct LevelDifference {
    Comparison total{};                           ///< a "joint" for each OBAN that differs
    std::vector<std::string> differing_fields{};  ///< "name: field", of the records' heads
};

/// OBANs belong together by their names, unnamed ones by their instances' numbers; of several of one name the
/// first counts. Instances that share their bytes cost no more than one. Errors are those of compare() for
/// two records, and name the OBAN.
[[nodiscard]] Result<LevelDifference> compare(const Level& a, const Level& b, const Job& job);

}  // namespace animbridge::oban
