// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "formats/mrtk/unity_curve.h"

/// Times in curved segments, by the parameter of their Bezier: where a curve is steep, time hardly changes
/// along it.
namespace animbridge::mrtk {

/// Adds 15 times inside each curved segment of a curve, for comparisons. The curve must be sorted, and its
/// numbers finite.
void add_bend_times(const CurveView& curve, std::vector<double>& times);

/// A segment becomes at most this many lines, so that keys do not outgrow a file whose values are far apart.
inline constexpr int most_lines_of_bend = 1024;

/// The times between two keys, in order, between which lines follow the curved segment within `bound`, in its
/// unit. They can miss the bound only if most_lines_of_bend are too few, or the segment's range is over
/// 100,000 times the bound.
[[nodiscard]] std::vector<double> line_times(const CurveKey& left, const CurveKey& right, double bound);

}  // namespace animbridge::mrtk
