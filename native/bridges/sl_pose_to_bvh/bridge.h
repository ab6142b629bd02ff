// SPDX-License-Identifier: MIT
#pragma once

#include "model/format/format.h"

/// From a pose to a BVH from which the viewer's upload makes that pose: as the .anim of it becomes one.
namespace animbridge::sl_pose_to_bvh {

/// Options: those of a pose's to_clip, "under", and those of the bridge from .anim to BVH. Report: that of
/// the bridge, with "pose_left_out" and "pose_warnings".
extern const Bridge bridge;

}  // namespace animbridge::sl_pose_to_bvh
