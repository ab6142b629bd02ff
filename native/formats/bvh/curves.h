// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "rig/curves.h"
#include "rig/match_joints.h"

/// Converts a BVH to curves on the bones of an armature.
namespace animbridge::bvh {

struct Curves {
    rig::CurvesFromClip result;  ///< curves and warnings
    double scale = 1.0;          ///< scale of positions: the placement's, or the ratio of heights
    double duration_seconds = 0.0;
};

/// The curves that play the file on the matched bones, with a key at each frame.
///
/// In world space, each bone's rotation from its rest pose equals the joint's rotation from the file's rest
/// pose. Joints without a bone pass their motion on to the bones below. Rotation curves use the bone's own
/// channel: the file's own angles if they mean the same on the bone, otherwise continuous signs and angles.
///
/// Bones get location curves if their joints have position channels. Locations are relative to the joint's
/// rest position. If a root rests elsewhere on the armature than in the file, they are relative to its OFFSET
/// or to its standing height, whichever is nearer to its highest frame. With `fit_height`, the ratio of hip
/// heights scales positions instead of the placement.
///
/// A file without a frame time plays one frame per scene frame. ErrorCode::bad_value: a number beyond
/// largest_number.
[[nodiscard]] Result<Curves> to_curves(const Document& document, const Placement& placement, bool fit_height,
                                       const rig::Armature& armature, const rig::JointMatch& match,
                                       const rig::Timing& timing);

}  // namespace animbridge::bvh
