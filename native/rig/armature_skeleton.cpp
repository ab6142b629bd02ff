// SPDX-License-Identifier: MIT
#include "rig/armature_skeleton.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace animbridge::rig {

namespace {

/// The bones, parents first, and otherwise in their own order.
std::vector<std::size_t> bones_parents_first(const Armature& armature) {
    std::vector<std::size_t> order;
    std::vector<bool> is_placed(armature.bones.size());
    std::vector<std::size_t> above;
    for (std::size_t first = 0; first < armature.bones.size(); ++first) {
        for (std::optional<std::size_t> bone = first; bone && !is_placed[*bone];
             bone = armature.bones[*bone].parent) {
            above.push_back(*bone);
        }
        for (; !above.empty(); above.pop_back()) {
            is_placed[above.back()] = true;
            order.push_back(above.back());
        }
    }
    return order;
}

}  // namespace

ArmatureSkeleton skeleton_of(const Armature& armature) {
    ArmatureSkeleton made{{}, armature, {}};
    made.armature.facing = Facing::x;
    made.map.node_of_bone.resize(armature.bones.size());
    made.map.by.resize(armature.bones.size());
    for (const std::size_t index : bones_parents_first(armature)) {
        const Bone& bone = armature.bones[index];
        Node& node = made.skeleton.nodes.emplace_back();
        node.name = bone.name;
        node.rest_local.translation = bone.rest.translation;
        if (bone.parent) {
            node.parent = made.map.node_of_bone[*bone.parent];
            node.rest_local.translation -= armature.bones[*bone.parent].rest.translation;
        }
        made.map.node_of_bone[index] = made.map.bone_of_node.size();
        made.map.bone_of_node.emplace_back(index);
    }
    return made;
}

}  // namespace animbridge::rig
