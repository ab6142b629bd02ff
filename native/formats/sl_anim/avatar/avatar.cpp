// SPDX-License-Identifier: MIT
#include "formats/sl_anim/avatar/avatar.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <glm/trigonometric.hpp>
#include <iterator>
#include <span>
#include <unordered_map>

#include "base/base.h"
#include "model/findings/findings.h"

namespace animbridge::sl_anim::avatar {

namespace {

struct RawJoint {
    std::string_view name;
    JointKind kind;
    int parent;
    std::array<double, 3> position;
    std::array<double, 3> rotation_degrees;
    std::array<double, 3> end;
    std::string_view group;
    std::string_view support;
    std::string_view aliases;  // each ends with a newline
    bool on_screen;
};

#include "sl_anim_data.inc"

glm::dvec3 vector_of(const std::array<double, 3>& values) { return {values[0], values[1], values[2]}; }

/// Collision volumes rotate about x first, attachment points about z first.
glm::dquat rest_rotation(const RawJoint& raw) {
    const glm::dvec3 angles = glm::radians(vector_of(raw.rotation_degrees));
    const glm::dquat x = glm::angleAxis(angles.x, glm::dvec3(1, 0, 0));
    const glm::dquat y = glm::angleAxis(angles.y, glm::dvec3(0, 1, 0));
    const glm::dquat z = glm::angleAxis(angles.z, glm::dvec3(0, 0, 1));
    return raw.kind == JointKind::attachment_point ? x * y * z : z * y * x;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return lines;
}

/// The aliases of each raw joint, stored once so that all copies of a skeleton can share them.
const std::vector<std::vector<std::string_view>>& all_aliases() {
    static const std::vector<std::vector<std::string_view>> aliases = [] {
        std::vector<std::vector<std::string_view>> all;
        all.reserve(raw_joints.size());
        std::ranges::transform(raw_joints, std::back_inserter(all),
                               [](const RawJoint& raw) { return lines_of(raw.aliases); });
        return all;
    }();
    return aliases;
}

SkeletonJoint joint_of(const RawJoint& raw, std::span<const std::string_view> aliases) {
    SkeletonJoint joint;
    joint.node.name = raw.name;
    joint.node.aliases = aliases;
    if (raw.parent >= 0) {
        joint.node.parent = static_cast<std::size_t>(raw.parent);
    }
    joint.node.rest_local = {rest_rotation(raw), vector_of(raw.position)};
    joint.kind = raw.kind;
    joint.end = vector_of(raw.end);
    joint.group = raw.group;
    joint.support = raw.support;
    joint.on_screen = raw.on_screen;
    return joint;
}

using NameIndex = std::unordered_map<std::string_view, std::size_t>;

/// Adds all names of one kind of joint; the first entry of a name wins.
void add_names(JointKind kind, NameIndex& index) {
    for (std::size_t i = 0; i < skeleton().size(); ++i) {
        if (skeleton()[i].kind == kind) {
            index.emplace(skeleton()[i].node.name, i);
        }
    }
    for (std::size_t i = 0; i < skeleton().size(); ++i) {
        if (skeleton()[i].kind != kind) {
            continue;
        }
        for (const std::string_view alias : skeleton()[i].node.aliases) {
            index.emplace(alias, i);
        }
    }
}

/// Names in the order in which the viewer looks them up.
NameIndex build_index() {
    NameIndex index;
    add_names(JointKind::bone, index);
    add_names(JointKind::attachment_point, index);
    add_names(JointKind::collision_volume, index);
    return index;
}

std::string_view name_of(JointKind kind) {
    constexpr std::array<std::string_view, 3> names = {"bone", "collision_volume", "attachment_point"};
    return names.at(static_cast<std::size_t>(kind));
}

}  // namespace

const std::vector<SkeletonJoint>& skeleton() {
    static const std::vector<SkeletonJoint> joints = [] {
        std::vector<SkeletonJoint> all;
        all.reserve(raw_joints.size());
        std::transform(raw_joints.begin(), raw_joints.end(), all_aliases().begin(), std::back_inserter(all),
                       joint_of);
        return all;
    }();
    return joints;
}

std::optional<std::size_t> find_joint(std::string_view name) {
    static const NameIndex index = build_index();
    const auto found = index.find(name);
    return found == index.end() ? std::nullopt : std::optional(found->second);
}

const Skeleton& playing_skeleton() {
    static const Skeleton skeleton_at_0 = [] {
        Skeleton playing;
        playing.nodes.reserve(skeleton().size());
        for (const SkeletonJoint& joint : skeleton()) {
            playing.nodes.push_back(joint.node);
        }
        playing.nodes.front().rest_local.translation = {0, 0, 0};
        return playing;
    }();
    return skeleton_at_0;
}

const std::vector<Transform>& resting_pose() {
    static const std::vector<Transform> pose = [] {
        std::vector<Transform> places;
        places.reserve(playing_skeleton().nodes.size());
        for (const Node& node : playing_skeleton().nodes) {
            places.push_back(node.rest_local);
        }
        return places;
    }();
    return pose;
}

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
