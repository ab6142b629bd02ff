// SPDX-License-Identifier: MIT
#pragma once

#include "model/format/format.h"

/// From a BVH with the avatar's joints to a pose: a moment of it, as Second Life's upload reads it. From the
/// BVH that Firestorm's poser saves beside a pose, that pose (docs/poses.md, "The poser's own BVH"): the
/// poser writes small offsets for joints at zero, so that the viewer's upload keeps them.
namespace animbridge::bvh_to_sl_pose {

/// Options: those of a pose's from_clip; without "at", the frame after frame 0. A BVH of the poser, told by
/// its channels, frames and joints, takes "pose_format" and "fingers". Its report: "joints", "held_at_zero"
/// and "free": names; "is_old": its positions are in metres, as Firestorm 7.1.13 wrote them. The report of
/// another BVH is that of from_clip.
extern const Bridge bridge;

}  // namespace animbridge::bvh_to_sl_pose
