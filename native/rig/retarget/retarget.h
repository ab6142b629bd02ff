// SPDX-License-Identifier: MIT
#pragma once

#include "base/job.h"
#include "base/result.h"
#include "model/clip.h"
#include "rig/humanoid/found_rig.h"
#include "rig/retarget/options.h"
#include "rig/retarget/report.h"

/// Motion of one rig on another: docs/retargeting.md says what it promises.
namespace animbridge::rig {

struct Retargeted {
    Clip clip;  ///< over the target's skeleton: rotations of the parts' joints, and the path of the body
    RetargetReport report;
};

/// Moves the target's parts in the world as the source's parts move, each from a reference pose in which both
/// look the same. Keys are at the source's key times. Where several joints of the source act on one joint,
/// lines between these keys may miss the motion: then there are inserted keys, so that rotations are within
/// 0.05 degrees and places within 0.1 mm at 24 times a second. Bezier curves are sampled 120 times a second,
/// except where the source's keys stay as they are. Time is linear in the number of keys.
/// ErrorCode::invalid_argument if a map, a reference pose or an option does not fit; ErrorCode::bad_value if
/// a skeleton or a key is not finite; ErrorCode::rejected if the rigs have no part in common or a map mixes
/// up left and right; ErrorCode::cancelled.
[[nodiscard]] Result<Retargeted> retarget(const Clip& source, const FoundRig& source_rig,
                                          const Skeleton& target, const FoundRig& target_rig,
                                          const RetargetOptions& options, const Job& job = {});

}  // namespace animbridge::rig
