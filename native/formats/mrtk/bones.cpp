// SPDX-License-Identifier: MIT
#include "formats/mrtk/bones.h"

#include <string>

#include "formats/mrtk/hand_shape.h"

namespace animbridge::mrtk {

namespace {

std::optional<std::size_t> pose_of_bone(const std::string& name) {
    if (name == gaze_name) {
        return gaze_pose;
    }
    return name == gaze_direction_name ? std::optional(gaze_direction_pose) : pose_named(name);
}

std::optional<std::size_t> node_of_pose(const HandRig& rig, std::size_t pose) {
    for (std::size_t node = 0; node < rig.pose_of_node.size(); ++node) {
        if (rig.pose_of_node[node] == pose) {
            return node;
        }
    }
    return std::nullopt;
}

}  // namespace

rig::BoneMap bones_by_name(const Skeleton& skeleton, const rig::Armature& armature) {
    rig::BoneMap map;
    map.bone_of_node.resize(skeleton.nodes.size());
    map.node_of_bone.resize(armature.bones.size());
    map.by.resize(armature.bones.size());
    for (std::size_t bone = 0; bone < armature.bones.size(); ++bone) {
        if (const auto node = skeleton.find(armature.bones[bone].name)) {
            map.bone_of_node[*node] = bone;
            map.node_of_bone[bone] = *node;
            map.by[bone] = "name";
        }
    }
    return map;
}

HandRig rig_of_bones(const rig::Armature& armature, std::span<const std::uint8_t> exported) {
    HandRig rig;
    const auto is_exported = [&](std::size_t bone) { return exported.empty() || exported[bone] != 0; };
    const auto add = [&](const rig::Bone& bone, std::size_t pose) {
        rig.skeleton.nodes.push_back({bone.name, {}, std::nullopt, bone.rest});
        rig.pose_of_node.push_back(pose);
        rig.length_of_node.push_back(tip_length);
    };
    bool has_gaze = false;
    for (std::size_t bone = 0; bone < armature.bones.size(); ++bone) {
        const auto pose = pose_of_bone(armature.bones[bone].name);
        has_gaze = has_gaze || (pose >= gaze_pose && is_exported(bone));
    }
    for (std::size_t bone = 0; bone < armature.bones.size(); ++bone) {
        const auto pose = pose_of_bone(armature.bones[bone].name);
        if (pose && (*pose < gaze_pose ? is_exported(bone) : *pose == gaze_pose && has_gaze)) {
            add(armature.bones[bone], *pose);
        }
    }
    for (const rig::Bone& bone : armature.bones) {
        if (pose_of_bone(bone.name) == gaze_direction_pose && has_gaze) {
            add(bone, gaze_direction_pose);
            // The direction is relative to the ray's origin if that is its parent.
            const auto gaze = bone.parent ? node_of_pose(rig, gaze_pose) : std::nullopt;
            Node& node = rig.skeleton.nodes.back();
            if (gaze) {
                node.parent = gaze;
                node.rest_local = {};
            }
        }
    }
    return rig;
}

}  // namespace animbridge::mrtk
