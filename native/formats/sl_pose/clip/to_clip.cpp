// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "formats/sl_pose/check/check.h"
#include "formats/sl_pose/clip/clip.h"
#include "formats/sl_pose/edit/edit.h"
#include "formats/sl_pose/fingers/fingers.h"
#include "rig/avatar/avatar.h"

namespace animbridge::sl_pose::clip {

namespace {

using rig::avatar::JointKind;
using rig::avatar::skeleton;

struct ToClipOptions {
    edit::Load load = edit::Load::all;
    bool on_t_pose = false;
    std::vector<std::string> fingers{};
    std::string hand{};
};

constexpr auto to_clip_rows =
    joined_rows(joined_rows(edit::load_rows<ToClipOptions>, edit::t_pose_rows<ToClipOptions>),
                joined_rows(edit::hand_rows<ToClipOptions>, fingers::finger_rows<ToClipOptions>));
constexpr auto to_clip_table = options_of(to_clip_rows);

/// A residue of single precision is not a scale of its own.
constexpr double scaled_least = 1e-6;

bool is_held(const play::Shown& joint) {
    return joint.known != play::Known::free && joint.known != play::Known::stored;
}

/// PELVIS in Black Dragon: turned as nobody set it.
bool stays_at_rest(const pose::Pose& pose, std::size_t joint) {
    return pose.program == pose::Program::black_dragon && skeleton()[joint].kind != JointKind::bone;
}

/// "scale of mHead, which moves other joints by up to 7.9 mm" for each joint with one.
void add_scales(std::span<const play::Shown> joints, std::vector<std::string>& left_out) {
    const std::vector<Transform> plain = play::placed(joints, false);
    for (const play::Shown& joint : joints) {
        const glm::dvec3 away = glm::abs(joint.scale - skeleton()[joint.joint].rest_scale);
        // Black Dragon shows scales of volumes and points, and nothing else of them.
        if (joint.known == play::Known::free || std::max({away.x, away.y, away.z}) <= scaled_least) {
            continue;
        }
        std::vector<play::Shown> one(joints.begin(), joints.end());
        for (play::Shown& other : one) {
            other.scale = other.joint == joint.joint ? other.scale : glm::dvec3(1);
        }
        const std::vector<Transform> scaled = play::placed(one, true);
        double most = 0;
        for (std::size_t i = 0; i < scaled.size(); ++i) {
            most = std::max(most, 1000.0 * glm::length(scaled[i].translation - plain[i].translation));
        }
        left_out.push_back("scale of " + skeleton()[joint.joint].node.name +
                           (measured_text(most) == "0"
                                ? ""
                                : ", which moves other joints by up to " + measured_text(most) + " mm"));
    }
}

}  // namespace

std::span<const Option> to_clip_options() { return to_clip_table; }

bool is_posed(const pose::Pose& pose, const play::Shown& joint) {
    return is_held(joint) && !stays_at_rest(pose, joint.joint);
}

Clip clip_of(const pose::Pose& pose, std::span<const play::Shown> joints) {
    Clip clip;
    clip.skeleton = rig::avatar::playing_skeleton();
    clip.duration_seconds = held_seconds;
    clip.markers = {{std::string(loop_markers[0]), 0.0}, {std::string(loop_markers[1]), held_seconds}};
    for (const play::Shown& joint : joints) {
        if (!is_posed(pose, joint)) {
            continue;
        }
        Track rotation{joint.joint, Channel::rotation};
        const glm::dquat& q = joint.rotation;
        rotation.add_key(0.0, std::array{q.w, q.x, q.y, q.z});
        clip.tracks.push_back(std::move(rotation));
        if (edit::has_own_position(joint, pose.is_absolute())) {
            Track position{joint.joint, Channel::translation};
            position.add_key(0.0, std::array{joint.position.x, joint.position.y, joint.position.z});
            clip.tracks.push_back(std::move(position));
        }
    }
    return clip;
}

ClipMade held(const pose::Pose& pose, std::span<const play::Shown> joints) {
    ClipMade made;
    made.clip = clip_of(pose, joints);
    add_scales(joints, made.left_out);
    for (const play::Shown& joint : joints) {
        const std::string& name = skeleton()[joint.joint].node.name;
        if (joint.known == play::Known::free) {
            made.left_out.push_back("joint " + name + ", which the pose leaves to animations");
        }
    }
    for (const pose::Entry& entry : pose.entries) {
        if (!entry.joint) {
            made.left_out.push_back("joint " + entry.key);
        }
    }
    return made;
}

Result<Chosen> chosen(const file::Document& document, const Json& options) {
    ToClipOptions given;
    TRY_VOID(read_options(options, to_clip_rows, given));
    TRY(pose::Pose pose, pose::pose_of(edit::loaded(document, given.load)));
    const bool is_difference = pose.is_difference() && given.hand.empty();
    if (is_difference && !given.on_t_pose) {
        return fail(ErrorCode::rejected,
                    "a difference pose: " + play::difference_text(pose) +
                        (pose.states.empty()
                             ? ". Convert"
                             : ". To .anim or BVH, name their files (command: --under ID=FILE; library: "
                               "under). Or convert") +
                        " only what the file has, on the T-pose (Blender: On T-Pose; command: --on-tpose; "
                        "library: on_tpose)");
    }
    const auto joints = fingers::with_fingers(
        given.hand.empty() ? play::shown(pose) : edit::hand_in(pose, given.hand), given.fingers);
    TRY_VOID(edit::require_joints(joints, given.hand));
    Chosen made{std::move(pose), joints};
    if (is_difference) {
        made.warnings.push_back("The result stands on the T-pose, and not on the animations below it: " +
                                play::difference_text(made.pose));
    }
    return made;
}

Result<ClipMade> to_clip(const file::Document& document, const Json& options) {
    return chosen(document, options).map([](Chosen of_file) {
        ClipMade made = held(of_file.pose, of_file.joints);
        made.warnings = std::move(of_file.warnings);
        return made;
    });
}

}  // namespace animbridge::sl_pose::clip
