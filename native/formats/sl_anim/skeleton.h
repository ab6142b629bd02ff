// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "model/skeleton.h"

namespace animbridge::sl_anim {

enum class JointKind : std::uint8_t { bone, collision_volume, attachment_point };

/// A joint that an animation may move (docs/second-life-format.md, "Skeleton").
struct SkeletonJoint {
    Node node;  ///< rest placement in metres, +X forward, +Y left, +Z up; mPelvis at the skeleton file's
                ///< height
    JointKind kind = JointKind::bone;
    glm::dvec3 end{0, 0, 0};  ///< the bone's tip in its own frame, for drawing only
    std::string group;
    std::string support;     ///< "base" or "extended", bones only
    bool on_screen = false;  ///< a HUD point: only found on one's own avatar
};

/// The avatar: 133 bones, 26 collision volumes, 55 attachment points, parents first. Built once, never
/// changed.
[[nodiscard]] const std::vector<SkeletonJoint>& skeleton();

/// The joint that the viewer finds by a file's name: bones and their aliases, then attachment points, then
/// volumes.
[[nodiscard]] std::optional<std::size_t> find_joint(std::string_view name);

/// The same skeleton with mPelvis at 0, which is where an animation has it (standing height). Built once,
/// never changed.
[[nodiscard]] const Skeleton& playing_skeleton();

/// Where each of its joints rests, in its parent's frame.
[[nodiscard]] const std::vector<Transform>& resting_pose();

/// Whether the viewer knows an animation state of this name, letters' case aside.
[[nodiscard]] bool is_animation_state(std::string_view name);

/// As ab_skeleton_json describes it.
[[nodiscard]] Json skeleton_json();

}  // namespace animbridge::sl_anim
