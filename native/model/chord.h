// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/gtc/quaternion.hpp>

/// How far apart two rotations are. The chord keeps its precision where the cosine has none.
namespace animbridge {

/// The length of the difference of two unit quaternions on one side: 2 sin(angle / 4).
[[nodiscard]] inline double chord(const glm::dquat& a, const glm::dquat& b) {
    const glm::dquat difference = glm::dot(a, b) < 0.0 ? a + b : a - b;
    return std::sqrt(glm::dot(difference, difference));
}

/// The chord of an angle; beyond half a turn more than any chord is.
[[nodiscard]] double chord_of_degrees(double degrees);
[[nodiscard]] double degrees_of_chord(double chord);

}  // namespace animbridge
