// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

namespace animbridge {

/// Three different axes, 0, 1, 2 for x, y, z, in the order of rotation about the fixed axes: as quaternions,
/// third * second * first.
struct EulerOrder {
    int first = 0;
    int second = 1;
    int third = 2;

    bool operator==(const EulerOrder&) const = default;
};

/// The rotation, of unit length. `angles` are radians about x, y and z, whatever the order of rotation.
[[nodiscard]] glm::dquat rotation_of_euler(const EulerOrder& order, const glm::dvec3& angles);

/// The angles closest to `before` that give the rotation. At gimbal lock, where many are equally close, the
/// axis that rotates first keeps its angle. `rotation` must be of unit length.
[[nodiscard]] glm::dvec3 euler_near(const EulerOrder& order, const glm::dquat& rotation,
                                    const glm::dvec3& before);

}  // namespace animbridge
