// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/sl_pose/pose/pose.h"
#include "model/compare/compare.h"
#include "model/format/format.h"

/// What the viewer whose pose it is shows on an avatar of the usual shape (docs/poses.md).
namespace animbridge::sl_pose::play {

// ---- the pose ----

/// How much a file says of what a joint shows.
enum class Known : std::uint8_t {
    exact,     ///< all of it
    delta,     ///< it stands on an animation that the file lacks
    free,      ///< the poser leaves it to animations
    unlisted,  ///< it is not in the file, and the poser sets its rotation to zero
    stored,    ///< the viewer keeps these numbers and does not show them
};
[[nodiscard]] std::string_view name_of(Known known);

/// A joint as the viewer shows it, or as the file says it where `known` is neither exact nor unlisted.
/// Relative to the joint above it; the rest pose where the file says nothing.
struct Shown {
    std::size_t joint = 0;  ///< in rig::avatar::skeleton()
    Known known = Known::exact;
    glm::dquat rotation{1, 0, 0, 0};
    glm::dvec3 position{0, 0, 0};
    glm::dvec3 scale{1, 1, 1};
};

/// Every joint of the file that its viewer knows, and every one that it sets to zero, in the skeleton's
/// order.
[[nodiscard]] std::vector<Shown> shown(const pose::Pose& pose);

/// "rotations of 9 of 12 joints are relative to animations that are not in the file (ids: ...)".
[[nodiscard]] std::string difference_text(const pose::Pose& pose);

// ---- where that is ----

/// For each joint of the skeleton, in mRoot's frame. As in the viewers, a joint's scale moves its children
/// and not theirs.
[[nodiscard]] std::vector<Transform> placed(std::span<const Shown> joints, bool with_scales = true);

// ---- the row ----

[[nodiscard]] Result<std::vector<std::string>> played_joints(const file::Document& document);
/// The same at every time: {"seconds", "clip_seconds", "weight", "joints": [{"joint", "known",
/// "local_rotation_wxyz", "local_position", "local_scale", "world_rotation_wxyz", "world_position"}],
/// "notes": sentences}.
[[nodiscard]] Result<void> play(const file::Document& document, std::span<const double> times_seconds,
                                const PoseArrays& out);
[[nodiscard]] Result<Comparison> compare(const file::Document& a, const file::Document& b);
/// The poses as a table for people.
[[nodiscard]] std::string describe(const Json& report);

}  // namespace animbridge::sl_pose::play
