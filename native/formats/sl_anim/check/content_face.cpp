// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/options/options.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/check/checker.h"
#include "formats/sl_anim/check/content.h"
#include "formats/sl_anim/check/rules.h"

/// Rules about what the wearer's own face, fingers, eyes, tail and wings do.
namespace animbridge::sl_anim::check {

namespace {

constexpr double resting_degrees = 0.1;

Places freezes_parts(const Judged& judged) {
    Places places;
    for (const FrozenPart& part : frozen_parts(judged.motion)) {
        const std::string name(part_names.at(static_cast<std::size_t>(part.part)));
        for (const std::string_view joint : part.still) {
            places.push_back({std::to_string(part.still.size()) + " of " + std::to_string(part.keyed) +
                                  " keyed joints of the " + name + " at rest, priority " +
                                  std::to_string(part.priority),
                              joint, std::nullopt, static_cast<double>(part.still.size())});
        }
    }
    return places;
}

/// The eyes that the file turns at a priority that hides the viewer's own motion.
std::vector<const MovedJoint*> driven_eyes(const Motion& motion) {
    std::vector<const MovedJoint*> eyes;
    for (const MovedJoint& joint : motion.joints) {
        if (joint.part == Part::eye && !joint.rotation.empty() && joint.priority >= 1) {
            eyes.push_back(&joint);
        }
    }
    return eyes;
}

Places freezes_eyes(const Judged& judged) {
    Places places;
    if (judged.motion.is_pose_stand || judged.motion.is_reset) {
        return places;
    }
    for (const MovedJoint* eye : driven_eyes(judged.motion)) {
        if (eye->from_start.degrees <= resting_degrees) {
            places.push_back({"still at priority " + std::to_string(eye->priority), eye->name,
                              double{eye->rotation.times.front()}, double(eye->priority)});
        }
    }
    return places;
}

Places eyes_move(const Judged& judged) {
    Places places;
    for (const MovedJoint* eye : driven_eyes(judged.motion)) {
        const Range& range = eye->from_start;
        if (range.degrees > resting_degrees) {
            places.push_back(
                {fixed_text(range.degrees, 1) + " degrees at priority " + std::to_string(eye->priority),
                 eye->name, range.degrees_at, range.degrees});
        }
    }
    return places;
}

/// The joints that the viewer always turns at priority 1.
constexpr std::array<std::string_view, 8> viewer_joints = {
    "mTorso", "mChest", "mNeck", "mHead", "mEyeLeft", "mEyeRight", "mFaceEyeAltLeft", "mFaceEyeAltRight"};

Places hidden_by_the_viewer(const Judged& judged) {
    Places places;
    for (const std::string_view name : viewer_joints) {
        const MovedJoint* joint = judged.motion.find(name);
        const bool is_hidden = joint != nullptr && !joint->rotation.empty() && joint->priority == 0;
        const Range range = is_hidden ? joint->from_rest : Range();
        if (range.degrees > 5.0) {
            places.push_back({fixed_text(range.degrees, 0) + " degrees at priority 0", joint->name,
                              range.degrees_at, range.degrees});
        }
    }
    return places;
}

Places face_positions(const Judged& judged) {
    Places places;
    for (const MovedJoint& joint : judged.motion.joints) {
        const Range& range = joint.from_rest;
        if (joint.name.starts_with("mFace") && range.metres > visible_metres) {
            places.push_back(
                {fixed_text(1000.0 * range.metres, 1) + " mm", joint.name, range.metres_at, range.metres});
        }
    }
    return places;
}

Places rotations_stick(const Judged& judged) {
    Places places;
    for (const MovedJoint& joint : judged.motion.joints) {
        const bool is_part = joint.part != Part::none && joint.part != Part::eye;
        if (judged.motion.is_loop || !is_part || joint.rotation.empty()) {
            continue;
        }
        const double degrees =
            angle_between_degrees(joint.rotation_at(judged.motion.duration), joint.rest_rotation);
        if (degrees > 2.0) {
            places.push_back(
                {fixed_text(degrees, 0) + " degrees", joint.name, double{judged.motion.duration}, degrees});
        }
    }
    return places;
}

bool keys_part(const Motion& motion, Part part) {
    return std::ranges::any_of(motion.joints, [&](const MovedJoint& joint) {
        return joint.part == part && !(joint.rotation.empty() && joint.position.empty());
    });
}

Places emote_moves_body(const Judged& judged) {
    const auto state = avatar::state_of(judged.document.emote_name);
    return state && !avatar::is_expression(*state) ? Places{{std::string(*state)}} : Places();
}

Places emote_with_face(const Judged& judged) {
    const auto state = avatar::state_of(judged.document.emote_name);
    return state && avatar::is_expression(*state) && keys_part(judged.motion, Part::face)
               ? Places{{std::string(*state)}}
               : Places();
}

Places hand_pose_with_fingers(const Judged& judged) {
    const std::uint32_t pose = judged.document.hand_pose;
    const bool is_off_rest = std::ranges::any_of(judged.motion.joints, [](const MovedJoint& joint) {
        return joint.part == Part::fingers && joint.from_rest.degrees > resting_degrees;
    });
    return pose >= 2 && pose <= 13 && is_off_rest ? Places{{"hand pose " + std::to_string(pose)}} : Places();
}

}  // namespace

std::vector<ContentRule> face_rules() {
    return {{rule("freezes_parts"), freezes_parts},
            {rule("freezes_eyes"), freezes_eyes},
            {rule("eyes_move"), eyes_move},
            {rule("hidden_by_the_viewer"), hidden_by_the_viewer},
            {rule("face_positions"), face_positions},
            {rule("rotations_stick"), rotations_stick},
            {rule("emote_moves_body"), emote_moves_body},
            {rule("emote_with_face"), emote_with_face},
            {rule("hand_pose_with_fingers"), hand_pose_with_fingers}};
}

}  // namespace animbridge::sl_anim::check
