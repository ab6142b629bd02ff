// SPDX-License-Identifier: MIT
#pragma once

#include "model/euler.h"
#include "rig/curves.h"

/// Blender's Euler angles: radians x, y, z; the letters of an order name the axes in which they turn.
namespace animbridge::rig {

[[nodiscard]] constexpr bool is_euler(BoneChannel channel) {
    return channel >= BoneChannel::euler_xyz && channel <= BoneChannel::euler_zyx;
}

/// `channel` is an Euler one.
[[nodiscard]] EulerOrder order_of(BoneChannel channel);

[[nodiscard]] glm::dquat rotation_of_euler(BoneChannel order, const glm::dvec3& angles);

/// Of all angles that give the rotation those nearest to `before`. At gimbal lock, where many are equally
/// near, the axis that turns first keeps its angle. `rotation` is of unit length.
[[nodiscard]] glm::dvec3 euler_near(BoneChannel order, const glm::dquat& rotation, const glm::dvec3& before);

}  // namespace animbridge::rig
