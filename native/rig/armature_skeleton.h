// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "base/base.h"
#include "rig/armature.h"
#include "rig/rig_map.h"

/// Makes an armature a skeleton of its own, for functions that work on any skeleton.
namespace animbridge::rig {

struct ArmatureSkeleton {
    /// A node for each bone, parents first, in armature space. No node has a rest rotation, so a clip's
    /// rotations lead from the rest pose to the pose, whatever the bones' axes.
    Skeleton skeleton;
    Armature armature;  ///< the same bones; the clip space is armature space
    BoneMap map;        ///< each bone with its node
};

[[nodiscard]] ArmatureSkeleton skeleton_of(const Armature& armature);

/// Each node's local rotation in a pose. `matrices`: [bone][16], column-major, armature space.
/// ErrorCode::bad_value names the bone whose matrix is not a transform.
[[nodiscard]] Result<std::vector<glm::dquat>> local_rotations(const ArmatureSkeleton& skeleton,
                                                              std::span<const float> matrices);

}  // namespace animbridge::rig
