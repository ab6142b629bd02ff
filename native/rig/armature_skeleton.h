// SPDX-License-Identifier: MIT
#pragma once

#include "rig/armature.h"
#include "rig/rig_map.h"

/// An armature as a skeleton of its own, for what works on any skeleton.
namespace animbridge::rig {

struct ArmatureSkeleton {
    /// A node for each bone, parents first, in armature space. No node has a rest rotation, so a clip's
    /// rotations are those from the rest pose to the pose, whatever the bones' axes.
    Skeleton skeleton;
    Armature armature;  ///< the same bones; its clip space is armature space
    BoneMap map;        ///< each bone with its node
};

[[nodiscard]] ArmatureSkeleton skeleton_of(const Armature& armature);

}  // namespace animbridge::rig
