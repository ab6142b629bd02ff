// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "editing/editing.h"

/// An armature as a skeleton whose joints have the axes of the bones.
namespace animbridge::editing {

/// Above each bone's joint stands one without a name, which rests as the bone rests: so the bone's joint
/// itself rests at nothing, and each F-curve is a number of a joint.
struct BoneAxes {
    Skeleton skeleton;
    std::vector<std::size_t> turns;  ///< per bone: the node that its rotation turns, with its name
    std::vector<std::size_t> moves;  ///< per bone: the node that its location moves
    rig::humanoid::FoundRig rig;
    rig::armature::Armature flat;  ///< the bones at rest at nothing
    rig::armature::BoneMap map;    ///< each of them with its node in `turns`
};

/// `rig_file`: the text of a rig file; empty: the parts of the body are found.
[[nodiscard]] Result<BoneAxes> bone_axes(const rig::armature::Armature& armature,
                                         const std::string& rig_file);

}  // namespace animbridge::editing
