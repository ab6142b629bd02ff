// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "model/clip/clip.h"
#include "rig/armature/armature.h"
#include "rig/avatar/avatar.h"

/// The avatar that plays a `.anim`: its skeleton, joints by name, rig map, emotes and limbs
/// (docs/second-life-format.md, "Skeleton"). Metres, +X forward, +Y left, +Z up. All tables are built once.
namespace animbridge::sl_anim::avatar {

// ---- the skeleton ----

using rig::avatar::find_joint;
using rig::avatar::JointKind;
using rig::avatar::playing_skeleton;
using rig::avatar::resting_pose;
using rig::avatar::skeleton;
using rig::avatar::SkeletonJoint;

/// Whether each joint's position counts in comparisons: true for joints with a track and their descendants.
/// Wings, tail, hind limbs and groin count only if a track moves them, because most avatars do not show them.
[[nodiscard]] std::vector<bool> counted_joints(std::vector<bool> has_track);

/// Described in animbridge.h at ab_skeleton_json.
[[nodiscard]] Json skeleton_json();

// ---- emotes ----

/// Whether the viewer knows an animation state of this name, in any case.
[[nodiscard]] bool is_animation_state(std::string_view name);

/// What the viewer makes of a file's emote name.
enum class Emote : std::uint8_t {
    none,          ///< empty
    known,         ///< an animation state's name in any case, or the id of any animation
    closed_mouth,  ///< "Closed_Mouth", which the viewer drops silently
    unknown,       ///< cleared with a warning
};

[[nodiscard]] Emote emote_of(std::string_view name);

/// The animation state that a file's emote name starts: by its name in any case, or by its id. None for the
/// id of another animation.
[[nodiscard]] std::optional<std::string_view> state_of(std::string_view emote_name);

/// Whether the animation state only changes the classic avatar's face. `express_anger` and eleven others like
/// it move the whole body.
[[nodiscard]] bool is_expression(std::string_view state);

/// Whether the text is 8-4-4-4-12 hexadecimal digits.
[[nodiscard]] bool is_uuid(std::string_view text);

// ---- bones of a rig on the avatar ----

/// The built-in map from bone names to the avatar's joints.
[[nodiscard]] const rig::armature::RigMap& avatar_rig_map();

/// The avatar's body parts without a bone, in words. A limb counts as a whole: "left forearm" if no joint
/// from mElbowLeft down has a bone. Only head, trunk, arms and legs.
[[nodiscard]] std::vector<std::string> limbs_without_bone(const rig::armature::BoneMap& map);

/// Puts a warning that names the limbs without a bone, if there are any, before `warnings`.
[[nodiscard]] std::vector<std::string> with_missing_limbs(std::vector<std::string> warnings,
                                                          const rig::armature::BoneMap& map);

}  // namespace animbridge::sl_anim::avatar
