// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/base.h"
#include "model/clip.h"
#include "model/comparison.h"

namespace animbridge {

/// How far the joints of two clips are apart at the times, which ascend. Joints with the same name are pairs;
/// if a name occurs more than once, they are paired in order.
[[nodiscard]] Result<Comparison> compare_clips(const Clip& a, const Clip& b,
                                               std::span<const double> times_seconds, const Job& job);

/// 0, the key times of both clips, and the midpoints between them; ascending.
[[nodiscard]] std::vector<double> times_to_compare(const Clip& a, const Clip& b);

}  // namespace animbridge
