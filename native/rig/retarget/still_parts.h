// SPDX-License-Identifier: MIT
#pragma once

#include "model/clip/clip.h"
#include "rig/retarget/parts.h"

namespace animbridge::rig {

/// Whether the track ever takes its joint farther from the rest pose than `most`: metres, or the chord of a
/// turn, which is 2 sin(angle / 4). Files have keys for joints that stay, such as the tips of fingers.
[[nodiscard]] bool leaves_rest(const Track& track, const Skeleton& skeleton, double most);

/// Takes out the tracks of fingers, eyes, jaws, tails and other chains that stay within 0.1 degrees of rest
/// through the whole clip: their keys show nothing, and would freeze the wearer's own fingers or tail. A
/// finger, or a chain, goes as a whole or not at all. What stays in another pose keeps its keys, and so do
/// spine, neck, head, arms and legs. Nothing is taken out of a clip that would have no tracks left.
void leave_out_still_parts(const Parts& parts, Clip& clip);

}  // namespace animbridge::rig
