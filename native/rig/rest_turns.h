// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "model/clip/clip.h"

/// Converts clips whose joints rest along the axes of clip space, as BoneSpace expects, to joints with rest
/// rotations, and back. Both ways are linear in each row, so keys and handles keep their times, and segments
/// their shape. Tracks of single numbers stay unchanged: neither their joint nor a joint above it may have a
/// rest rotation.
namespace animbridge::rig {

/// The same motion with joints that rest along the axes of clip space.
[[nodiscard]] Clip without_rest_turns(Clip clip);

/// The inverse: `rest_world` has a unit rotation for each node, in clip space. The clip's own joints must
/// rest along the axes of clip space.
[[nodiscard]] Clip with_rest_turns(Clip clip, std::span<const glm::dquat> rest_world);

}  // namespace animbridge::rig
