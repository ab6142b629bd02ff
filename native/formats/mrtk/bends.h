// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "formats/mrtk/unity_curve.h"

/// Where curved segments bend: by the parameter of their Bezier, because time hardly moves along it where a
/// curve is steep.
namespace animbridge::mrtk {

/// Adds the times inside the curved segments of a curve at which it is to be looked at, 15 of each. The curve
/// must be sorted, its numbers finite.
void add_bend_times(const CurveView& curve, std::vector<double>& times);

/// A segment becomes at most this many lines: keys must not outgrow a file whose values are far apart.
inline constexpr int most_lines_of_bend = 1024;

/// The times between two keys, in order, between which lines follow the curved segment within `bound`, in its
/// unit; farther off only where most_lines_of_bend are too few, or the segment ranges over 100,000 times as
/// much.
[[nodiscard]] std::vector<double> line_times(const CurveKey& left, const CurveKey& right, double bound);

}  // namespace animbridge::mrtk
