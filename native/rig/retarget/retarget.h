// SPDX-License-Identifier: MIT
#pragma once

#include "base/base.h"
#include "model/clip/clip.h"
#include "rig/humanoid/found_rig.h"
#include "rig/retarget/options.h"
#include "rig/retarget/report.h"

/// Puts the motion of one rig on another; docs/retargeting.md says what it guarantees.
namespace animbridge::rig {

struct Retargeted {
    Clip clip;  ///< over the target's skeleton: rotations of the parts' joints, and the path of the body
    RetargetReport report;
};

/// Moves the target's parts in the world like the source's parts, both starting from a reference pose in
/// which they look the same. Keys are at the source's key times. If several joints of the source act on one
/// joint, lines between these keys may miss the motion: then inserted keys keep rotations within 0.05 degrees
/// and positions within 0.1 mm at 24 times per second. Bezier curves are sampled 120 times per second, unless
/// the source's keys can stay unchanged. Time is linear in the number of keys. ErrorCode::invalid_argument if
/// a map, a reference pose or an option does not fit; ErrorCode::bad_value if a skeleton or a key is not
/// finite; ErrorCode::rejected if the rigs have no part in common or a map mixes up left and right;
/// ErrorCode::cancelled.
[[nodiscard]] Result<Retargeted> retarget(const Clip& source, const FoundRig& source_rig,
                                          const Skeleton& target, const FoundRig& target_rig,
                                          const RetargetOptions& options, const Job& job = {});

}  // namespace animbridge::rig
