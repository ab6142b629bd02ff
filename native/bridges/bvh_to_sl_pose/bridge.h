// SPDX-License-Identifier: MIT
#pragma once

#include "model/format/format.h"

/// From the BVH that Firestorm's poser saves beside a pose to that pose (docs/poses.md, "The poser's own
/// BVH"). The poser writes small offsets for joints at zero, so that the viewer's upload keeps them.
namespace animbridge::bvh_to_sl_pose {

/// Only for a BVH of the poser, by its channels, frames and joints. Option: "pose_format". Report: "joints",
/// "held_at_zero" and "free": names; "is_old": its positions are in metres, as Firestorm 7.1.13 wrote them.
extern const Bridge bridge;

}  // namespace animbridge::bvh_to_sl_pose
