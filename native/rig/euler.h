// SPDX-License-Identifier: MIT
#pragma once

#include "model/clip/clip.h"
#include "rig/curves.h"

/// Blender's Euler angles: radians about x, y, z. The letters of an order name the axes in the order of
/// rotation.
namespace animbridge::rig {

[[nodiscard]] constexpr bool is_euler(BoneChannel channel) {
    return channel >= BoneChannel::euler_xyz && channel <= BoneChannel::euler_zyx;
}

/// `channel` must be an Euler channel.
[[nodiscard]] EulerOrder order_of(BoneChannel channel);

[[nodiscard]] glm::dquat rotation_of_euler(BoneChannel order, const glm::dvec3& angles);

/// The angles closest to `before` that give the rotation; see euler_near in model/euler.h. `rotation` must be
/// of unit length.
[[nodiscard]] glm::dvec3 euler_near(BoneChannel order, const glm::dquat& rotation, const glm::dvec3& before);

}  // namespace animbridge::rig
