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

/// Whether the clip's motion jumps away from its first frame. The second is then at most 0.15 s later, and at
/// least two joints of the limbs and the spine turn by more than 15 degrees. Besides, one of two things
/// holds: nearly all of these joints rest in the first frame, most of them do not in the second, and the
/// largest turn is twice that of the next interval; or the largest turn is above 45 degrees and four times
/// that of the next interval. nullopt: the motion goes on from its first frame.
[[nodiscard]] std::optional<FirstFrame> odd_first_frame(const Clip& clip, const FoundRig& rig);

/// The clip without the keys before `frame.next_seconds` of the tracks that begin with the first frame and
/// have a key then. Times stay, so what moves is held from 0 as it is then.
[[nodiscard]] Clip without_first_frame(const Clip& clip, const FirstFrame& frame);

}  // namespace animbridge::rig
