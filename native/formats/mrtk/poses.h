// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include "formats/mrtk/document.h"
#include "formats/mrtk/unity_curve.h"

/// The seven curves of a pose as a whole.
namespace animbridge::mrtk {

/// X, Y, Z, W.
using RotationViews = std::array<CurveView, 4>;
[[nodiscard]] RotationViews rotation_of(const Document& document, std::size_t pose);

/// Whether any of the seven curves has a key: a pose without keys is not part of the recording.
[[nodiscard]] bool has_keys(const Document& document, std::size_t pose);
/// Whether any joint of the hand has a key.
[[nodiscard]] bool has_hand(const Document& document, std::size_t hand);

/// Whether the curves have the same key times.
[[nodiscard]] bool same_times(const CurveView& a, const CurveView& b);
[[nodiscard]] bool share_times(const RotationViews& rotation);

/// How far a quaternion's length may be from 1. Trackers write 0.9997 to 1.0008; ten times that is not noise.
inline constexpr double length_tolerance = 0.01;

/// Whether W is what MRTK 2.6.0 to 2.7.2 leave of it (docs/mrtk-format.md, "Lost W"): version 1.1, and W has
/// one of several keys; or only the first and the last, and the last has Z's value.
[[nodiscard]] bool has_lost_w(const Document& document, std::size_t pose);

}  // namespace animbridge::mrtk
