// SPDX-License-Identifier: MIT
#include "formats/mrtk/motion.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "formats/mrtk/bones.h"
#include "formats/mrtk/clip.h"
#include "formats/mrtk/cycles.h"
#include "formats/mrtk/format.h"
#include "formats/mrtk/hand_motion.h"
#include "formats/mrtk/hands.h"
#include "formats/mrtk/player.h"
#include "formats/mrtk/rig_options.h"
#include "rig/rest_turns.h"

namespace animbridge::mrtk {

namespace {

/// The hand that a node belongs to; null for the camera and the gaze.
Json hand_of_node(const HandRig& rig, std::size_t node) {
    const std::size_t pose = rig.pose_of_node[node];
    return pose == 0 || pose >= gaze_pose ? Json(nullptr) : Json(hand_names.at(hand_of(pose)));
}

Json joint_json(const HandRig& rig, std::size_t node, const std::vector<Transform>& world) {
    const Node& joint = rig.skeleton.nodes[node];
    const Transform& at = world[node];
    return {{"name", joint.name},
            {"parent", joint.parent ? static_cast<std::int64_t>(*joint.parent) : -1},
            {"hand", hand_of_node(rig, node)},
            {"head", {at.translation.x, at.translation.y, at.translation.z}},
            {"rotation_wxyz", {at.rotation.w, at.rotation.x, at.rotation.y, at.rotation.z}},
            {"length", rig.length_of_node[node]}};
}

Json skeleton_json(const HandRig& rig) {
    Json joints = Json::array();
    std::vector<Transform> world;
    for (std::size_t node = 0; node < rig.skeleton.nodes.size(); ++node) {
        const Node& joint = rig.skeleton.nodes[node];
        world.push_back(joint.parent ? world[*joint.parent] * joint.rest_local : joint.rest_local);
        joints.push_back(joint_json(rig, node, world));
    }
    return {{"joints", std::move(joints)}};
}

Json switches_json(const Document* document) {
    Json names = Json::array();
    for (std::size_t i = 0; i < switch_count; ++i) {
        if (document == nullptr || document->curves[first_switch + i].count > 0) {
            names.push_back(switch_names.at(i));
        }
    }
    return names;
}

HandRig rig_of(const Player& player, const RigChoice& choice) {
    return choice.is_exact ? exact_rig(player, choice.rest) : hand_rig(player, choice.rest);
}

}  // namespace

Result<Json> skeleton(const AnyDocument* document, const Json& options) {
    TRY(const auto choice, skeleton_choice_from(options));
    const Document* const recording = document == nullptr ? nullptr : as_mrtk(*document);
    Json json;
    if (recording == nullptr) {
        json = skeleton_json(flat_hand_rig());
    } else {
        TRY_VOID(require_playable(*recording));
        json = skeleton_json(rig_of(Player(*recording), choice));
    }
    json["properties"] = switches_json(recording);
    if (choice.bone_names) {
        json["is_character"] = is_character(*choice.bone_names);
    }
    return json;
}

Result<CurvesMade> to_curves(const Document& document, const ToCurves& request) {
    TRY(const auto choice, rig_choice_from(request.options, false));
    TRY(const rig::SceneRig* scene, require_rig(request.rig));
    TRY_VOID(require_playable(document));
    const Player player(document);
    rig::Armature armature = scene->armature;
    // Recordings are in the world, whose axes are those of clip space.
    armature.facing = rig::Facing::x;
    HandMotion motion;
    if (choice.is_exact) {
        motion.clip = to_clip(document, player, exact_rig(player, choice.rest), choice.signs);
    } else {
        motion = hand_motion(document, player, hand_rig(player, choice.rest));
        motion.clip = rig::without_rest_turns(std::move(motion.clip));
    }
    const Clip& clip = motion.clip;
    const rig::BoneMap map = bones_by_name(clip.skeleton, armature);
    auto curves = rig::curves_from_clip(clip, armature, map, request.timing);
    if (auto warning = motion.warning()) {
        curves.warnings.push_back(*std::move(warning));
    }
    Json report = clip_curves_report(clip, map, armature, request.timing, curves);
    report["repeating_curves"] = repeating_curves(document);
    report["max_position_error_mm"] = motion.difference.position_mm;
    report["max_rotation_error_degrees"] = motion.difference.rotation_degrees;
    return CurvesMade{std::move(curves), std::move(report)};
}

}  // namespace animbridge::mrtk
