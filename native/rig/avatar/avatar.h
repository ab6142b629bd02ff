// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "model/clip/clip.h"

/// The avatar of Second Life, as its viewers build it (docs/second-life-format.md, "Skeleton"). Metres, +X
/// forward, +Y left, +Z up. All tables are built once.
namespace animbridge::rig::avatar {

enum class JointKind : std::uint8_t { bone, collision_volume, attachment_point };

/// A joint that an animation may move.
struct SkeletonJoint {
    /// Rest transform; mPelvis at the height in the skeleton file.
    Node node;
    JointKind kind = JointKind::bone;
    glm::dvec3 rest_scale{1, 1, 1};  ///< of a collision volume, its radii
    glm::dvec3 end{0, 0, 0};         ///< the bone's tip in its own frame, for drawing only
    std::string group;
    std::string support;     ///< "base" or "extended"; only bones have one
    bool on_screen = false;  ///< a HUD point, which exists only on the user's own avatar
};

/// The avatar: 133 bones, 26 collision volumes, 55 attachment points, parents first.
[[nodiscard]] const std::vector<SkeletonJoint>& skeleton();

/// The joint that the viewer finds for a name in a file: it searches bones and their aliases first, then
/// attachment points, then collision volumes.
[[nodiscard]] std::optional<std::size_t> find_joint(std::string_view name);

/// skeleton() with mPelvis at 0: animations are relative to the standing height.
[[nodiscard]] const Skeleton& playing_skeleton();

/// The local rest transforms of playing_skeleton().
[[nodiscard]] const std::vector<Transform>& resting_pose();

// ---- clips of other spaces ----

/// The clip, turned by quarter turns about Z if that aligns its joints with the avatar's rest pose; scene
/// files face along another axis than the avatar. A clip of another skeleton stays unchanged.
[[nodiscard]] Clip turned_like_avatar(Clip clip);

/// Whether most joints that move have names of the avatar, and, turned like it, rest as its joints do.
[[nodiscard]] bool moves_avatar(const Clip& clip);

/// ErrorCode::bad_value: a joint of the avatar moves and rests turned otherwise, or the body looks another
/// way. `turned`: of turned_like_avatar.
[[nodiscard]] Result<void> require_same_rest(const Clip& turned);

}  // namespace animbridge::rig::avatar
