// SPDX-License-Identifier: MIT
#pragma once

#include "formats/sl_anim/viewer_math.h"
#include "model/clip.h"

/// Between keys a clip lerps and normalises; the viewer does the same, except that it slerps where the stored
/// keys point apart.
namespace animbridge::sl_anim {

/// How far the two may differ before keys are inserted, in degrees.
inline constexpr double slerp_tolerance_degrees = 0.008;

/// Into how many equal pieces a segment must be cut for straight pieces to follow the viewer's path; 1 for
/// most segments.
[[nodiscard]] int straight_pieces(const Quaternion& a, const Quaternion& b);

/// The track with the keys that make the viewer show what the clip shows: keys that only carried the viewer's
/// own slerp are left out again, and segments that the viewer would slerp although the clip does not get keys
/// in between.
[[nodiscard]] Track fit_to_viewer(const Track& track);

[[nodiscard]] inline glm::dquat to_double(const Quaternion& q) { return {q.w, q.x, q.y, q.z}; }

/// The sign under which the viewer stores it.
[[nodiscard]] Quaternion to_single(const glm::dquat& q);

}  // namespace animbridge::sl_anim
