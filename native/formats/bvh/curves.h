// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "rig/curves.h"
#include "rig/match_joints.h"

/// A BVH on the bones of an armature.
namespace animbridge::bvh {

struct Curves {
    rig::CurvesFromClip result;  ///< curves and warnings
    double scale = 1.0;          ///< of positions: the placement's, or what fits the heights
    double duration_seconds = 0.0;
};

/// The curves that play the file on the matched bones, a key at each frame. Each bone turns in the world,
/// from its rest, as its joint does from the file's unturned pose; joints without a bone carry their motion
/// on to those below. Rotations in the channel that the bone asks for: the file's own angles where they mean
/// the same on the bone, else signs and angles are continuous. Locations for the bones whose joints have
/// position channels, counted from where the joint rests; a root that does not rest on the armature where it
/// does in the file counts from its OFFSET or from where its height would have it stand, whichever its
/// highest frame is nearer to. `fit_height`: positions are scaled by the ratio of the hips' heights instead
/// of by the placement. A file without time between its frames gets one of the scene's between them.
/// ErrorCode::bad_value: a number beyond largest_number.
[[nodiscard]] Result<Curves> to_curves(const Document& document, const Placement& placement, bool fit_height,
                                       const rig::Armature& armature, const rig::JointMatch& match,
                                       const rig::Timing& timing);

}  // namespace animbridge::bvh
