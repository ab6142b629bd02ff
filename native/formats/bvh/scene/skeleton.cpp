// SPDX-License-Identifier: MIT
#include "formats/bvh/scene/scene.h"

#include <algorithm>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>

#include "formats/bvh/clip/clip.h"
#include "model/findings/findings.h"

namespace animbridge::bvh::scene {

namespace {

Json axes_json(const clip::Axes& axes) {
    const glm::dquat q =
        glm::quat_cast(glm::dmat3(axes.place({1, 0, 0}), axes.place({0, 1, 0}), axes.place({0, 0, 1})));
    return Json::array({q.w, q.x, q.y, q.z});
}

Json joint_json(const file::Joint& joint, const clip::RestJoint& rest) {
    std::vector<std::uint8_t> axes;
    std::string letters;
    bool moves = false;
    for (const file::ChannelKind channel : joint.channels) {
        moves = moves || file::is_position(channel);
        if (file::is_rotation(channel)) {
            axes.push_back(static_cast<std::uint8_t>(file::axis_of(channel)));
            letters += "XYZ"[file::axis_of(channel)];
        }
    }
    const auto order = clip::euler_order_of(axes);
    return {{"name", rest.name},
            {"file_name", json_text(joint.name)},
            {"parent", joint.parent ? Json(*joint.parent) : Json(-1)},
            {"head", vector_json(rest.head)},
            {"tail", vector_json(rest.tail)},
            {"has_positions", moves},
            {"rotation_channels", letters},
            {"euler_order", order ? Json(clip::letters_of(*order)) : Json(nullptr)}};
}

}  // namespace

Result<Json> skeleton_json(const file::Document& document, const clip::Placement& placement) {
    TRY(const auto rest, clip::rest_joints(document, placement));
    Json joints = Json::array();
    for (std::size_t i = 0; i < rest.size(); ++i) {
        joints.push_back(joint_json(document.joints[i], rest[i]));
    }
    const double steps = document.frame_count == 0 ? 0.0 : static_cast<double>(document.frame_count - 1);
    const clip::HumanScale human = clip::human_scale(document, placement.axes);
    return Json{{"frame_time_seconds", document.frame_time_seconds},
                {"frame_count", document.frame_count},
                {"duration_seconds", steps * document.frame_time_seconds},
                {"axes_wxyz", axes_json(placement.axes)},
                {"height", human.height},
                {"human_scale", human.scale},
                {"joints", std::move(joints)}};
}

std::vector<rig::armature::NamedJoint> named_joints(const file::Document& document) {
    std::vector<std::string> names = clip::bone_names(document);
    std::vector<rig::armature::NamedJoint> joints;
    joints.reserve(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        joints.push_back({std::move(names[i]), document.joints[i].parent});
    }
    return joints;
}

Json curves_report(const file::Document& document, const rig::armature::Armature& armature,
                   const clip::Axes& axes, const rig::armature::JointMatch& match,
                   const rig::curves::Timing& timing, const Curves& made) {
    Json matched = Json::array();
    Json unmatched_joints = Json::array();
    const std::vector<std::string> names = clip::bone_names(document);
    for (std::size_t joint = 0; joint < names.size(); ++joint) {
        if (const auto bone = match.bone_of_joint[joint]) {
            matched.push_back({{"joint", names[joint]}, {"bone", json_text(armature.bones[*bone].name)}});
        } else {
            unmatched_joints.push_back(names[joint]);
        }
    }
    Json unmatched_bones = Json::array();
    for (std::size_t bone = 0; bone < armature.bones.size(); ++bone) {
        if (!match.joint_of_bone[bone]) {
            unmatched_bones.push_back(json_text(armature.bones[bone].name));
        }
    }
    Json warnings = Json::array();
    for (const std::string& warning : made.result.warnings) {
        warnings.push_back(json_text(warning));
    }
    return {{"matched", std::move(matched)},
            {"unmatched_joints", std::move(unmatched_joints)},
            {"unmatched_bones", std::move(unmatched_bones)},
            {"duration_seconds", made.duration_seconds},
            {"frame_end", timing.frame_at(made.duration_seconds)},
            {"forward", axes.forward()},
            {"up", axes.up()},
            {"scale", made.scale},
            {"warnings", std::move(warnings)}};
}

}  // namespace animbridge::bvh::scene
