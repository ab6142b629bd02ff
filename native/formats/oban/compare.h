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
    /// How far the positions and the rotations of A(f) are apart. The rotations exclude scale and shear.
    JointDifference pose{};
    double largest_linear = 0;  ///< over the nine numbers of the linear part, which include scale and shear
    std::size_t times = 0;
    std::vector<std::string_view> fields{};  ///< header fields that differ
};

/// Plays both at every frame and at the midpoints, from 0 to the later end, and holds each after its own end.
/// Ignores the loop flags. ErrorCode::rejected if A(f) of either is undefined.
[[nodiscard]] Result<Difference> compare(const Record& a, const Record& b, const Job& job);

}  // namespace animbridge::oban
