// SPDX-License-Identifier: MIT
#include "rig/armature.h"

#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat3x3.hpp>
#include <numbers>

#include "rig/rig_map.h"

namespace animbridge::rig {

std::string_view name_of(Facing facing) {
    constexpr std::array<std::string_view, 4> names = {"+X", "-Y", "-X", "+Y"};
    return names.at(static_cast<std::size_t>(facing));
}

glm::dquat rotation_of(Facing facing) {
    constexpr double quarter = std::numbers::pi / 2.0;
    constexpr std::array<double, 4> angles = {0.0, -quarter, 2.0 * quarter, quarter};
    return glm::angleAxis(angles.at(static_cast<std::size_t>(facing)), glm::dvec3(0, 0, 1));
}

Transform transform_of(const std::array<float, 16>& matrix) {
    const auto column = [&](std::size_t c) {
        return glm::dvec3(matrix.at(4 * c), matrix.at(4 * c + 1), matrix.at(4 * c + 2));
    };
    // Float rounding leaves the axes slightly skewed: orthogonalise them, so that the result is a rotation.
    const glm::dvec3 x = glm::normalize(column(0));
    const glm::dvec3 y = glm::normalize(column(1) - x * glm::dot(x, column(1)));
    return {glm::normalize(glm::quat_cast(glm::dmat3(x, y, glm::cross(x, y)))), column(3)};
}

BoneSpace::BoneSpace(const Skeleton& skeleton, std::size_t node, const Armature& armature, const BoneMap& map)
    : facing_(rotation_of(armature.facing)) {
    const Bone& bone = armature.bones[*map.bone_of_node[node]];
    const Node& joint = skeleton.nodes[node];
    before_ = glm::conjugate(bone.rest.rotation) * facing_;
    after_ = glm::conjugate(joint.rest_local.rotation) * glm::conjugate(facing_) * bone.rest.rotation;
    // Without "Local Location" a bone moves along its parent's axes; a root, along the armature's.
    const glm::dquat outer =
        bone.parent ? armature.bones[*bone.parent].rest.rotation : glm::dquat(1, 0, 0, 0);
    location_axes_ = bone.local_location ? bone.rest.rotation : outer;
    clip_rest_ = joint.rest_local.translation;
    const auto parent_bone = joint.parent ? map.bone_of_node[*joint.parent] : std::nullopt;
    if (parent_bone) {
        absolute_ = true;
        rest_offset_ = bone.rest.translation - armature.bones[*parent_bone].rest.translation;
    }
}

glm::dvec3 BoneSpace::location_to_bone(const glm::dvec3& clip) const {
    const glm::dvec3 moved = absolute_ ? facing_ * clip - rest_offset_ : facing_ * (clip - clip_rest_);
    return glm::conjugate(location_axes_) * moved;
}

glm::dvec3 BoneSpace::location_to_clip(const glm::dvec3& bone) const {
    const glm::dvec3 moved = location_axes_ * bone;
    const glm::dquat back = glm::conjugate(facing_);
    return absolute_ ? back * (rest_offset_ + moved) : clip_rest_ + back * moved;
}

}  // namespace animbridge::rig
