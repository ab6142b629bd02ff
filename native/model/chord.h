// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/gtc/quaternion.hpp>

/// Distances between rotations. The chord stays precise for small angles; the cosine does not.
namespace animbridge {

/// The distance between two unit quaternions, the nearer of q and -q: 2 sin(angle / 4).
[[nodiscard]] inline double chord(const glm::dquat& a, const glm::dquat& b) {
    const glm::dquat difference = glm::dot(a, b) < 0.0 ? a + b : a - b;
    return std::sqrt(glm::dot(difference, difference));
}

/// The chord of an angle, and back. From 180 degrees on the chord is infinite: no rotation is farther away.
[[nodiscard]] double chord_of_degrees(double degrees);
[[nodiscard]] double degrees_of_chord(double chord);

}  // namespace animbridge
