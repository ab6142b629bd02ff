// SPDX-License-Identifier: MIT
#pragma once

#include "formats/sl_anim/codes/codes.h"
#include "model/clip/clip.h"

/// Between keys, a clip uses normalised lerp. The viewer does too, but slerps if the stored keys are in
/// opposite hemispheres.
namespace animbridge::sl_anim::clip {

/// How far the two may differ, in degrees, before keys are inserted.
inline constexpr double slerp_tolerance_degrees = 0.008;

/// The number of equal pieces into which a segment must be cut for straight pieces to follow the viewer's
/// path; 1 for most segments.
[[nodiscard]] int straight_pieces(const codes::Quaternion& a, const codes::Quaternion& b);

/// The track with the keys that make the viewer show the clip's motion. It leaves out keys that were inserted
/// only to carry the viewer's own slerp, and adds keys to segments that the viewer slerps although the clip
/// does not.
[[nodiscard]] Track fit_to_viewer(const Track& track);

[[nodiscard]] inline glm::dquat to_double(const codes::Quaternion& q) { return {q.w, q.x, q.y, q.z}; }

/// Converts with the sign that the viewer stores (w >= 0).
[[nodiscard]] codes::Quaternion to_single(const glm::dquat& q);

}  // namespace animbridge::sl_anim::clip
