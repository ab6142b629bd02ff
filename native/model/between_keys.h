// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "model/clip.h"
#include "model/comparison.h"

/// The times between keys at which two animations are compared. Lines are farthest apart at their keys;
/// curves can be farthest apart anywhere.
namespace animbridge {

/// Adds 15 times inside each Bezier segment of each of the track's numbers, at equal steps of the curve's
/// parameter: where the curve is steep, time hardly changes along it.
void add_bend_times(const Track& track, std::vector<double>& times);

/// Adds to the times, which must be sorted, at most eight `bends` between each two, evenly by index. So the
/// number of times bounds the cost. Leaves out bends that are too close to a time for files to distinguish:
/// there may be a step.
[[nodiscard]] std::vector<double> with_bends(const std::vector<double>& times, std::vector<double> bends);

/// How far two animations are apart at a time.
struct Difference {
    double millimetres = 0;
    double degrees = 0;
};

/// Looks for larger differences near those of `found`, which are at some of the times, and raises `found` to
/// them. The times must be sorted. Calls `at` at most 128 times per joint.
void widen_nearby(const std::vector<double>& times, const std::function<Difference(double seconds)>& at,
                  JointDifference& found);

}  // namespace animbridge
