// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

namespace animbridge {

/// Three different axes, 0, 1, 2 for x, y, z, in the order in which they turn about the fixed axes: as a
/// product of quaternions, third * second * first.
struct EulerOrder {
    int first = 0;
    int second = 1;
    int third = 2;

    bool operator==(const EulerOrder&) const = default;
};

/// Angles are radians about x, y and z, whatever the order.
[[nodiscard]] glm::dquat rotation_of_euler(const EulerOrder& order, const glm::dvec3& angles);

/// Of all angles that give the rotation those nearest to `before`. At gimbal lock, where many are equally
/// near, the axis that turns first keeps its angle. `rotation` is of unit length.
[[nodiscard]] glm::dvec3 euler_near(const EulerOrder& order, const glm::dquat& rotation,
                                    const glm::dvec3& before);

}  // namespace animbridge
