// SPDX-License-Identifier: MIT
#include "formats/sl_anim/avatar/avatar.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "base/base.h"
#include "model/findings/findings.h"

namespace animbridge::sl_anim::avatar {

namespace {

#include "sl_anim_data.inc"

std::string_view name_of(JointKind kind) {
    constexpr std::array<std::string_view, 3> names = {"bone", "collision_volume", "attachment_point"};
    return names.at(static_cast<std::size_t>(kind));
}

}  // namespace

std::vector<bool> counted_joints(std::vector<bool> has_track) {
    constexpr std::array<std::string_view, 4> seldom_shown = {"Wing", "Tail", "Limb", "Groin"};
    std::vector<bool> counted = std::move(has_track);
    for (std::size_t i = 0; i < counted.size(); ++i) {
        const SkeletonJoint& joint = skeleton()[i];
        if (!joint.node.parent || counted[i]) {
            continue;
        }
        const bool begins_group = joint.group != skeleton()[*joint.node.parent].group;
        const bool is_seldom_shown = std::ranges::find(seldom_shown, joint.group) != seldom_shown.end();
        counted[i] = counted[*joint.node.parent] && !(begins_group && is_seldom_shown);
    }
    return counted;
}

bool is_animation_state(std::string_view name) {
    return std::ranges::any_of(state_names,
                               [&](std::string_view state) { return same_letters(state, name); });
}

Json skeleton_json() {
    Json joints = Json::array();
    for (const SkeletonJoint& joint : skeleton()) {
        const glm::dquat& rotation = joint.node.rest_local.rotation;
        joints.push_back(
            {{"name", joint.node.name},
             {"kind", name_of(joint.kind)},
             {"parent", joint.node.parent ? Json(skeleton()[*joint.node.parent].node.name) : Json()},
             {"aliases", joint.node.aliases},
             {"position", animbridge::vector_json(joint.node.rest_local.translation)},
             {"rotation_wxyz", Json::array({rotation.w, rotation.x, rotation.y, rotation.z})},
             {"end", animbridge::vector_json(joint.end)},
             {"group", joint.group},
             {"support", joint.support},
             {"on_screen", joint.on_screen}});
    }
    return {{"joints", std::move(joints)}, {"animation_states", state_names}};
}

const rig::armature::RigMap& avatar_rig_map() {
    static const rig::armature::RigMap map =
        rig::armature::read_rig_map(rig::armature::built_in_rig_map_json(), playing_skeleton()).value();
    return map;
}

bool is_uuid(std::string_view text) {
    constexpr std::string_view shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    if (text.size() != shape.size()) {
        return false;
    }
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const bool fits =
            shape[i] == 'x' ? std::isxdigit(static_cast<unsigned char>(text[i])) != 0 : text[i] == '-';
        if (!fits) {
            return false;
        }
    }
    return true;
}

Emote emote_of(std::string_view name) {
    if (name.empty()) {
        return Emote::none;
    }
    if (name == "Closed_Mouth") {
        return Emote::closed_mouth;
    }
    return is_animation_state(name) || is_uuid(name) ? Emote::known : Emote::unknown;
}

std::optional<std::string_view> state_of(std::string_view emote_name) {
    for (std::size_t i = 0; i < state_names.size(); ++i) {
        if (same_letters(state_names.at(i), emote_name) || same_letters(state_ids.at(i), emote_name)) {
            return state_names.at(i);
        }
    }
    return std::nullopt;
}

bool is_expression(std::string_view state) {
    constexpr std::array<std::string_view, 7> faces = {
        "express_disdain", "express_frown",      "express_kiss",      "express_open_mouth",
        "express_smile",   "express_tongue_out", "express_toothsmile"};
    return state.ends_with("_emote") || std::ranges::find(faces, state) != faces.end();
}

namespace {

struct Part {
    std::string_view joint;
    std::string_view name;   ///< of the part that this joint rotates
    std::string_view below;  ///< of this part and all later ones in its limb
};

/// Parts from the trunk outwards.
constexpr std::array<Part, 1> pelvis = {{{"mPelvis", "pelvis", "pelvis"}}};
constexpr std::array<Part, 1> abdomen = {{{"mTorso", "abdomen", "abdomen"}}};
constexpr std::array<Part, 1> chest = {{{"mChest", "chest", "chest"}}};
constexpr std::array<Part, 1> head = {{{"mHead", "head", "head"}}};
constexpr std::array<Part, 3> left_arm = {{{"mShoulderLeft", "left upper arm", "left arm"},
                                           {"mElbowLeft", "left forearm", "left forearm"},
                                           {"mWristLeft", "left hand", "left hand"}}};
constexpr std::array<Part, 3> right_arm = {{{"mShoulderRight", "right upper arm", "right arm"},
                                            {"mElbowRight", "right forearm", "right forearm"},
                                            {"mWristRight", "right hand", "right hand"}}};
constexpr std::array<Part, 3> left_leg = {{{"mHipLeft", "left thigh", "left leg"},
                                           {"mKneeLeft", "left lower leg", "left lower leg"},
                                           {"mAnkleLeft", "left foot", "left foot"}}};
constexpr std::array<Part, 3> right_leg = {{{"mHipRight", "right thigh", "right leg"},
                                            {"mKneeRight", "right lower leg", "right lower leg"},
                                            {"mAnkleRight", "right foot", "right foot"}}};
constexpr std::array<std::span<const Part>, 8> limbs = {pelvis,   abdomen,   chest,    head,
                                                        left_arm, right_arm, left_leg, right_leg};

}  // namespace

std::vector<std::string> limbs_without_bone(const rig::armature::BoneMap& map) {
    const auto lacks_bone = [&](const Part& part) {
        return !map.bone_of_node[find_joint(part.joint).value()].has_value();
    };
    std::vector<std::string> missing;
    for (const std::span<const Part> limb : limbs) {
        for (std::size_t i = 0; i < limb.size(); ++i) {
            if (!lacks_bone(limb[i])) {
                continue;
            }
            if (std::all_of(limb.begin() + static_cast<std::ptrdiff_t>(i), limb.end(), lacks_bone)) {
                missing.emplace_back(limb[i].below);
                break;
            }
            missing.emplace_back(limb[i].name);
        }
    }
    return missing;
}

std::vector<std::string> with_missing_limbs(std::vector<std::string> warnings,
                                            const rig::armature::BoneMap& map) {
    const std::vector<std::string> missing = limbs_without_bone(map);
    if (missing.empty()) {
        return warnings;
    }
    std::string names;
    for (std::size_t i = 0; i < missing.size(); ++i) {
        names += (i == 0 ? "The " : i + 1 == missing.size() ? " and the " : ", the ") + missing[i];
    }
    warnings.insert(warnings.begin(), "Choose a rig map that names them, if the rig has them. " + names +
                                          (missing.size() == 1 ? " has" : " have") + " no bone");
    return warnings;
}

}  // namespace animbridge::sl_anim::avatar
