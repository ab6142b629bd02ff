// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "model/clip/clip.h"
#include "rig/humanoid/found_rig.h"

namespace animbridge::rig {

/// A first frame that is not part of the motion: a T-pose or rest pose at the beginning of a recording.
struct FirstFrame {
    double seconds = 0;       ///< the time of its keys
    double next_seconds = 0;  ///< the time of the second frame
    double jump_degrees = 0;  ///< the largest turn of a limb or of the spine between them
};

/// The clip's first frame, if the motion jumps away from it: the second is at most 0.15 s later, and at least
/// two joints of limbs and spine turn by more than 15 degrees. Also, one of two conditions holds: nearly all
/// of these joints rest in the first frame, most of them do not in the second, and the largest turn is twice
/// that of the next interval; or the largest turn is above 45 degrees and four times that of the next
/// interval. nullopt: the motion continues from its first frame.
[[nodiscard]] std::optional<FirstFrame> odd_first_frame(const Clip& clip, const FoundRig& rig);

/// The clip without the keys before `frame.next_seconds` in tracks that begin with the first frame and have a
/// key at that time. Times stay, so these tracks hold that key's value from 0.
[[nodiscard]] Clip without_first_frame(const Clip& clip, const FirstFrame& frame);

}  // namespace animbridge::rig
