// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "base/job.h"
#include "base/result.h"
#include "formats/oban/document.h"
#include "model/comparison.h"

namespace animbridge::oban {

/// Plays two animations and compares them.
struct Difference {
    /// Of A(f): how far apart the positions and the rotations are. The rotations exclude scale and shear.
    JointDifference pose{};
    double largest_linear = 0;  ///< of the nine numbers of the linear part, where scale and shear show
    std::size_t times = 0;
    std::vector<std::string_view> fields{};  ///< header fields that differ
};

/// Plays both at every frame and half-way between, from 0 to the later end, and holds each after its own end.
/// Ignores the loop flags. ErrorCode::rejected if A(f) of either is undefined.
[[nodiscard]] Result<Difference> compare(const Record& a, const Record& b, const Job& job);

}  // namespace animbridge::oban
