// SPDX-License-Identifier: MIT
#include "rig/armature/armature.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat3x3.hpp>
#include <numbers>

namespace animbridge::rig::armature {

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

Result<MappedRig> mapped(const SceneRig& rig) {
    return map_bones(*rig.avatar, rig.armature, rig.map()).map([&](BoneMap map) {
        MappedRig result{rig.armature, std::move(map)};
        if (rig.finds_facing) {
            result.armature.facing =
                find_facing(*rig.avatar, result.armature, result.map).value_or(Facing::x);
        }
        return result;
    });
}

std::optional<Facing> find_facing(const Skeleton& skeleton, const Armature& armature, const BoneMap& map) {
    std::vector<glm::dvec3> world(skeleton.nodes.size());
    glm::dvec3 joint_centre(0);
    glm::dvec3 bone_centre(0);
    double count = 0;
    for (std::size_t node = 0; node < world.size(); ++node) {
        const Node& joint = skeleton.nodes[node];
        // Only positions matter here, and joints with children have no rest rotation.
        world[node] = joint.rest_local.translation + (joint.parent ? world[*joint.parent] : glm::dvec3(0));
        if (map.bone_of_node[node]) {
            joint_centre += world[node];
            bone_centre += armature.bones[*map.bone_of_node[node]].rest.translation;
            ++count;
        }
    }
    if (count < 2) {
        return std::nullopt;
    }
    Facing best = Facing::x;
    double best_fit = 0;
    double worst_fit = 0;
    for (const Facing facing : {Facing::x, Facing::negative_y, Facing::negative_x, Facing::y}) {
        double fit = 0;
        for (std::size_t node = 0; node < world.size(); ++node) {
            if (map.bone_of_node[node]) {
                const glm::dvec3 position =
                    armature.bones[*map.bone_of_node[node]].rest.translation - bone_centre / count;
                fit += glm::dot(rotation_of(facing) * (world[node] - joint_centre / count), position);
            }
        }
        // Require a clear gain, so that rounding does not decide between equally good facings.
        if (facing == Facing::x || fit > best_fit + 1e-6) {
            best = facing;
            best_fit = fit;
        }
        worst_fit = facing == Facing::x ? fit : std::min(worst_fit, fit);
    }
    return best_fit > worst_fit + 1e-6 ? std::optional(best) : std::nullopt;
}

}  // namespace animbridge::rig::armature
