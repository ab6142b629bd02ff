// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "model/clip.h"

/// Clips whose joints rest along the axes of clip space, as BoneSpace has them, and the same with axes of
/// their own. Both ways are linear in each row, so keys, handles and what is between them stay where they
/// are. Tracks of single numbers are left as they are: no joint of theirs may be turned at rest, nor a joint
/// above it.
namespace animbridge::rig {

/// The same motion of joints that rest along the axes of clip space.
[[nodiscard]] Clip without_rest_turns(Clip clip);

/// The other way: `rest_world` has a unit rotation for each node, in clip space. The clip's own joints rest
/// along the axes of clip space.
[[nodiscard]] Clip with_rest_turns(Clip clip, std::span<const glm::dquat> rest_world);

}  // namespace animbridge::rig
