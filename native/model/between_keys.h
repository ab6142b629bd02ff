// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "model/clip.h"
#include "model/comparison.h"

/// Where two animations are compared between their keys. Both move evenly on lines; curves may be farthest
/// apart anywhere.
namespace animbridge {

/// Adds the times inside the Bezier segments of a track at which it is to be looked at, 15 of each number: by
/// the curve's parameter, because time hardly moves along it where the curve is steep.
void add_bend_times(const Track& track, std::vector<double>& times);

/// The times, which must be sorted, and of the `bends` at most eight between each two, evenly by number. So
/// the cost is bounded by that of the times alone. Bends so close to a time that files do not tell them apart
/// are left out: there may be a step.
[[nodiscard]] std::vector<double> with_bends(const std::vector<double>& times, std::vector<double> bends);

/// What differs between two animations at a time.
struct Difference {
    double millimetres = 0;
    double degrees = 0;
};

/// Looks for the largest differences nearby those of `found`, which are at some of the times, and widens it.
/// The times must be sorted. At most 128 calls of `at`, per joint.
void widen_nearby(const std::vector<double>& times, const std::function<Difference(double seconds)>& at,
                  JointDifference& found);

}  // namespace animbridge
