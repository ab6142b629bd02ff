// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "base/job.h"
#include "base/result.h"
#include "formats/oban/document.h"
#include "model/comparison.h"

namespace animbridge::oban {

/// Two animations, played.
struct Difference {
    /// Of A(f): how far apart the places are and by how much the directions turn, scale and shear taken off.
    JointDifference pose{};
    double largest_linear = 0;  ///< of the nine numbers in front of the place: scale and shear show here
    std::size_t times = 0;
    std::vector<std::string_view> fields{};  ///< of the head, that differ
};

/// Plays both at every frame and half-way between, from 0 to the later end, each held behind its own; flags
/// do not loop them. ErrorCode::rejected where A(f) of one is not defined.
[[nodiscard]] Result<Difference> compare(const Record& a, const Record& b, const Job& job);

}  // namespace animbridge::oban
