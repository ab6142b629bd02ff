// SPDX-License-Identifier: MIT
#include "formats/sl_pose/edit/edit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "formats/sl_pose/check/check.h"
#include "formats/sl_pose/fingers/fingers.h"
#include "model/findings/findings.h"
#include "rig/avatar/avatar.h"

namespace animbridge::sl_pose::edit {

namespace {

using rig::avatar::JointKind;
using rig::avatar::skeleton;

constexpr double shape_residue_metres = 0.0005;
constexpr std::int32_t firestorm_version = 8;
constexpr std::int32_t black_dragon_version = 3;

/// Joints whose base the poser's own BVH takes as zero.
constexpr std::array<std::string_view, 23> body = {
    "mPelvis",       "mTorso",     "mChest",      "mNeck",        "mHead",          "mCollarLeft",
    "mShoulderLeft", "mElbowLeft", "mWristLeft",  "mCollarRight", "mShoulderRight", "mElbowRight",
    "mWristRight",   "mHipLeft",   "mKneeLeft",   "mAnkleLeft",   "mFootLeft",      "mToeLeft",
    "mHipRight",     "mKneeRight", "mAnkleRight", "mFootRight",   "mToeRight"};

const std::string& own_name(std::size_t joint) { return skeleton()[joint].node.name; }

}  // namespace

file::Value triple_value(const glm::dvec3& numbers) {
    file::Value array{file::Kind::array};
    for (int i = 0; i < 3; ++i) {
        array.items.push_back(file::real(static_cast<float>(numbers[i])));
    }
    return array;
}

namespace {

glm::dvec3 vector_of_triple(const pose::Triple& numbers) { return {numbers[0], numbers[1], numbers[2]}; }

}  // namespace

file::Value triple_value(const pose::Triple& numbers) {
    return triple_value(without_residues(vector_of_triple(numbers), residue));
}

namespace {

/// How far a joint is from its rest pose, without residues.
struct Away {
    glm::dvec3 angles{0, 0, 0};
    glm::dvec3 position{0, 0, 0};
    glm::dvec3 scale{0, 0, 0};
};

Away away_of(const play::Shown& joint, bool may_hold_shape) {
    const rig::avatar::SkeletonJoint& rest = skeleton()[joint.joint];
    const glm::dquat turn = product(glm::conjugate(rest.node.rest_local.rotation), joint.rotation);
    const glm::dvec3 moved = joint.position - pose::rest_position(joint.joint);
    const bool is_shape =
        may_hold_shape && rest.node.parent &&
        std::max({std::abs(moved.x), std::abs(moved.y), std::abs(moved.z)}) <= shape_residue_metres;
    return {without_residues(vector_of_triple(pose::angles_of(turn)), residue),
            is_shape ? glm::dvec3(0) : without_residues(moved, residue),
            without_residues(joint.scale - rest.rest_scale, residue)};
}

file::Value header_of(std::int32_t version) {
    file::Value header{file::Kind::map};
    put(header, "value", file::integer(version));
    return header;
}

/// A file whose keys are sorted by their bytes, as the viewers write them.
file::Document document_of(const std::map<std::string, file::Value>& entries) {
    file::Value root{file::Kind::map};
    for (const auto& [key, value] : entries) {
        put(root, key, value);
    }
    return file::made({root});
}

file::Value firestorm_entry(std::size_t joint, const Away& away, bool is_enabled) {
    const bool is_body = std::ranges::find(body, own_name(joint)) != body.end();
    file::Value entry{file::Kind::map};
    put(entry, "enabled", file::boolean(is_enabled));
    put(entry, "jointBaseRotationIsZero", file::boolean(true));
    put(entry, "mirrored", file::boolean(false));
    put(entry, "position", triple_value(away.position));
    put(entry, "rotation", triple_value(away.angles));
    put(entry, "scale", triple_value(away.scale));
    put(entry, "userSetBaseRotationToZero", file::boolean(is_body));
    put(entry, "worldLocked", file::boolean(false));
    return entry;
}

Written for_firestorm(std::span<const play::Shown> joints, bool may_hold_shape) {
    Written made;
    std::map<std::string, file::Value> entries;
    for (std::size_t i = 0; i < skeleton().size(); ++i) {
        if (pose::is_posed_by_firestorm(i)) {
            entries.emplace(own_name(i), firestorm_entry(i, {}, true));
        }
    }
    for (const play::Shown& joint : joints) {
        const Away away = away_of(joint, may_hold_shape);
        const bool is_at_rest =
            away.angles == glm::dvec3(0) && away.position == glm::dvec3(0) && away.scale == glm::dvec3(0);
        const auto place = entries.find(own_name(joint.joint));
        if (place != entries.end()) {
            place->second = firestorm_entry(joint.joint, away, joint.known != play::Known::free);
        } else if (!is_at_rest) {
            made.left_out.push_back("joint " + own_name(joint.joint));
        }
    }
    file::Value start{file::Kind::map};
    put(start, "value", file::boolean(true));
    entries.emplace("startFromTeePose", std::move(start));
    entries.emplace("version", header_of(firestorm_version));
    made.document = document_of(entries);
    return made;
}

/// Null if the viewer would show nothing of it.
std::optional<file::Value> black_dragon_entry(const play::Shown& joint, const Away& away,
                                              std::vector<std::string>& left_out) {
    const bool is_bone = skeleton()[joint.joint].kind == JointKind::bone;
    const bool is_moved = away.position != glm::dvec3(0);
    file::Value entry{file::Kind::map};
    if (is_bone) {
        const pose::Triple angles = pose::swapped(pose::angles_of(joint.rotation));
        put(entry, "enabled", file::boolean(joint.known != play::Known::free));
        if (is_moved || !skeleton()[joint.joint].node.parent) {
            put(entry, "position", triple_value(joint.position));
        }
        put(entry, "rotation", triple_value(angles));
    } else if (is_moved || away.angles != glm::dvec3(0)) {
        left_out.push_back("rotation and position of " + own_name(joint.joint));
    }
    if (away.scale != glm::dvec3(0)) {
        put(entry, "scale", triple_value(joint.scale));
    }
    return entry.items.empty() ? std::nullopt : std::optional(std::move(entry));
}

Written for_black_dragon(std::span<const play::Shown> joints, bool may_hold_shape) {
    Written made;
    std::map<std::string, file::Value> entries;
    for (const play::Shown& joint : joints) {
        if (auto entry = black_dragon_entry(joint, away_of(joint, may_hold_shape), made.left_out)) {
            entries.emplace(own_name(joint.joint), std::move(*entry));
        }
    }
    entries.emplace("version", header_of(black_dragon_version));
    made.document = document_of(entries);
    return made;
}

struct Edits {
    std::optional<pose::Program> program{};
    Load load = Load::all;
    bool on_t_pose = false;
    std::vector<std::string> fingers{};
    std::string hand{};
};

constexpr auto edit_rows =
    joined_rows(joined_rows(joined_rows(load_rows<Edits>, program_rows<Edits>), hand_rows<Edits>),
                joined_rows(t_pose_rows<Edits>, fingers::finger_rows<Edits>));
constexpr auto edit_table = options_of(edit_rows);
constexpr auto load_table = options_of(load_rows<Edits>);

/// Takes members out of a joint.
void leave_out(file::Value& entry, std::span<const std::string_view> keys) {
    for (std::size_t i = entry.items.size(); i-- > 0;) {
        if (entry.kind == file::Kind::map && std::ranges::find(keys, entry.keys[i]) != keys.end()) {
            entry.keys.erase(entry.keys.begin() + static_cast<std::ptrdiff_t>(i));
            entry.items.erase(entry.items.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
}

/// What Black Dragon keeps of volumes and points and does not show, and what it shows of PELVIS, which nobody
/// set, is at rest in another file.
std::vector<play::Shown> carried(const pose::Pose& pose, std::vector<std::string>& left_out) {
    std::vector<play::Shown> joints = play::shown(pose);
    std::vector<std::string> stored;
    for (play::Shown& joint : joints) {
        if (pose.program != pose::Program::black_dragon || skeleton()[joint.joint].kind == JointKind::bone) {
            continue;
        }
        const Away away = away_of(joint, true);
        if (away.angles != glm::dvec3(0) || away.position != glm::dvec3(0)) {
            stored.push_back(own_name(joint.joint));
        }
        joint.rotation = skeleton()[joint.joint].node.rest_local.rotation;
        joint.position = pose::rest_position(joint.joint);
    }
    if (!stored.empty()) {
        left_out.push_back("rotations and positions that Black Dragon keeps of volumes and points: " +
                           some_of(stored));
    }
    return joints;
}

/// Turns off all other joints, so that they stay as they are.
std::vector<play::Shown> alone(std::vector<play::Shown> joints) {
    for (std::size_t i = 0; i < skeleton().size(); ++i) {
        if (std::ranges::find(joints, i, &play::Shown::joint) == joints.end()) {
            joints.push_back({i, play::Known::free, skeleton()[i].node.rest_local.rotation,
                              pose::rest_position(i), skeleton()[i].rest_scale});
        }
    }
    return joints;
}

/// These hands, with the positions and scales that their joints have.
std::vector<play::Shown> fingers_of(const pose::Pose& pose, const std::vector<std::string>& hands) {
    const std::vector<play::Shown> before = play::shown(pose);
    std::vector<play::Shown> joints = fingers::with_fingers({}, hands);
    for (play::Shown& joint : joints) {
        const auto old = std::ranges::find(before, joint.joint, &play::Shown::joint);
        if (old != before.end()) {
            joint.position = old->position;
            joint.scale = old->scale;
        }
    }
    return joints;
}

}  // namespace

bool has_own_position(const play::Shown& joint, bool may_hold_shape) {
    return away_of(joint, may_hold_shape).position != glm::dvec3(0);
}

glm::dvec3 without_residues(const glm::dvec3& numbers, double least) {
    const auto kept = [&](double number) { return std::abs(number) < least ? 0.0 : number; };
    return {kept(numbers.x), kept(numbers.y), kept(numbers.z)};
}

Written written(std::span<const play::Shown> joints, pose::Program program, bool may_hold_shape) {
    return program == pose::Program::firestorm ? for_firestorm(joints, may_hold_shape)
                                               : for_black_dragon(joints, may_hold_shape);
}

file::Value new_entry(std::size_t joint, const pose::Pose& pose) {
    if (pose.program == pose::Program::black_dragon) {
        file::Value entry{file::Kind::map};
        put(entry, "enabled", file::boolean(true));
        return entry;
    }
    Away rest;
    rest.position = pose.is_absolute() ? pose::rest_position(joint) : glm::dvec3(0);
    file::Value entry = firestorm_entry(joint, rest, true);
    // The first version that has each.
    constexpr std::array<std::pair<std::string_view, std::int32_t>, 4> since = {
        {{"jointBaseRotationIsZero", 5},
         {"mirrored", 7},
         {"worldLocked", 7},
         {"userSetBaseRotationToZero", 8}}};
    for (const auto& [key, version] : since) {
        if (pose.version < version) {
            leave_out(entry, std::span(&key, 1));
        }
    }
    return entry;
}

std::span<const Option> edit_options() { return edit_table; }
std::span<const Option> load_options() { return load_table; }

file::Document loaded(const file::Document& document, Load load) {
    constexpr std::array<std::string_view, 2> parts = {"scale", "position"};
    const auto pose = pose::pose_of(document);
    const bool is_whole =
        load == Load::all || !pose || (load == Load::plain && pose->program == pose::Program::firestorm);
    if (is_whole) {
        return document;
    }
    const auto keys = std::span(parts).first(load == Load::plain ? 1 : 2);
    std::vector<file::Value> documents = document.documents;
    for (file::Value& root : documents) {
        // In the first generation, the root is a joint. Else it holds joints, whatever they are called.
        if (std::ranges::find(root.keys, "bone") != root.keys.end()) {
            leave_out(root, keys);
        }
        for (file::Value& entry : root.items) {
            leave_out(entry, keys);
        }
    }
    return file::remade(document, std::move(documents));
}

std::vector<play::Shown> hand_in(const pose::Pose& pose, std::string_view side) {
    std::vector<play::Shown> joints;
    for (const pose::Entry& entry : pose.entries) {
        const bool is_left = entry.key.find("Left") != std::string::npos;
        if (entry.joint && entry.rotation && entry.key.find("Hand") != std::string::npos &&
            skeleton()[*entry.joint].kind == JointKind::bone && is_left == (side == "left")) {
            const bool is_swapped = pose.program == pose::Program::black_dragon;
            joints.push_back(
                {*entry.joint, play::Known::exact,
                 pose::rotation_of(is_swapped ? pose::swapped(*entry.rotation) : *entry.rotation),
                 pose::rest_position(*entry.joint)});
        }
    }
    std::ranges::sort(joints, {}, &play::Shown::joint);
    return joints;
}

Result<void> require_joints(std::span<const play::Shown> joints, const std::string& hand) {
    if (!joints.empty()) {
        return {};
    }
    return fail(ErrorCode::rejected, hand.empty()
                                         ? "the pose has no joint that its viewer knows"
                                         : "the pose has no rotation of a joint of the " + hand + " hand");
}

Result<Made> edited(const file::Document& document, const Json& edits) {
    Edits wanted;
    TRY_VOID(read_options(edits, edit_rows, wanted));
    Written made{loaded(document, wanted.load)};
    TRY(const pose::Pose pose, pose::pose_of(made.document));
    // Firestorm 3 is absolute, so the newest Firestorm is another format too.
    const bool is_newest = pose.program != pose::Program::firestorm || pose.version > 3;
    const bool is_hand = !wanted.hand.empty();
    const bool is_on_t_pose = wanted.on_t_pose && pose.is_difference() && !is_hand;
    const bool is_written_anew =
        is_hand || is_on_t_pose || (wanted.program && (*wanted.program != pose.program || !is_newest));
    if ((is_written_anew || !wanted.fingers.empty()) && pose.is_difference() && !is_on_t_pose && !is_hand) {
        return fail(ErrorCode::rejected, check::why_unchanged(pose));
    }
    if (is_written_anew) {
        std::vector<std::string> left_out;
        if (is_on_t_pose) {
            left_out.push_back("the animations below it, so it stands on the T-pose: " +
                               play::difference_text(pose));
        }
        const pose::Program program = wanted.program.value_or(pose.program);
        auto joints = fingers::with_fingers(is_hand ? hand_in(pose, wanted.hand) : carried(pose, left_out),
                                            wanted.fingers);
        if (is_hand) {
            TRY_VOID(require_joints(joints, wanted.hand));
            joints = program == pose::Program::firestorm ? alone(std::move(joints)) : joints;
        }
        made = written(joints, program, pose.is_absolute());
        made.left_out.insert(made.left_out.begin(), left_out.begin(), left_out.end());
    } else if (!wanted.fingers.empty()) {
        made.document = with_joints(made.document, fingers_of(pose, wanted.fingers));
    }
    const auto before = check::check(document, CheckLevel::playback, "");
    const auto after = check::check(made.document, CheckLevel::playback, "");
    Json report =
        edit_report(before.value_or(std::vector<Finding>()), after.value_or(std::vector<Finding>()));
    report["left_out"] = texts_json(made.left_out);
    return Made{file::make_document(std::move(made.document)), std::move(report)};
}

}  // namespace animbridge::sl_pose::edit
