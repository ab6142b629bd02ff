// SPDX-License-Identifier: MIT
#include "rig/armature_skeleton.h"

#include <algorithm>
#include <array>
#include <cmath>
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

Result<std::vector<glm::dquat>> local_rotations(const ArmatureSkeleton& skeleton,
                                                std::span<const float> matrices) {
    const std::vector<Node>& nodes = skeleton.skeleton.nodes;
    std::vector<glm::dquat> turned(nodes.size());  // from the rest pose to the pose, in armature space
    std::vector<glm::dquat> local(nodes.size());
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        const std::size_t bone = *skeleton.map.bone_of_node[node];
        std::array<float, 16> matrix{};
        std::copy_n(matrices.subspan(16 * bone, 16).begin(), matrix.size(), matrix.begin());
        const Transform pose = transform_of(matrix);
        if (!std::isfinite(glm::dot(pose.rotation, pose.rotation))) {
            return fail(ErrorCode::bad_value,
                        "the matrix of bone " + nodes[node].name +
                            " in the reference pose cannot be used: it must hold finite "
                            "numbers and axes longer than 0");
        }
        turned[node] =
            glm::normalize(pose.rotation * glm::conjugate(skeleton.armature.bones[bone].rest.rotation));
        const auto parent = nodes[node].parent;
        local[node] = parent ? glm::conjugate(turned[*parent]) * turned[node] : turned[node];
    }
    return local;
}

}  // namespace animbridge::rig
