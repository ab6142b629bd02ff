// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "model/clip.h"
#include "rig/humanoid/found_rig.h"

namespace animbridge::rig {

/// A first frame that is no part of the motion: a T-pose or rest pose that a recording begins with.
struct FirstFrame {
    double seconds = 0;       ///< its keys' time
    double next_seconds = 0;  ///< of the second frame
    double jump_degrees = 0;  ///< the largest turn of a limb or of the spine between both
};

/// Whether the clip's motion jumps away from its first frame: the second is at most 0.15 s later, two joints
/// of the limbs and the spine turn by more than 15 degrees, and nearly all of these joints rest in the first
/// frame and most of them do not in the second, or one turns by more than 45 degrees and four times the
/// largest turn of the next interval. nullopt: the motion goes on from its first frame.
[[nodiscard]] std::optional<FirstFrame> odd_first_frame(const Clip& clip, const FoundRig& rig);

/// The clip without the keys before `frame.next_seconds`. Its times stay, so what moves is held from 0 as it
/// is then.
[[nodiscard]] Clip without_first_frame(const Clip& clip, const FirstFrame& frame);

}  // namespace animbridge::rig
