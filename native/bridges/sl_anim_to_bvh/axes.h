// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

/// Converts between the avatar's space (metres, +X forward, +Y left, +Z up) and the space of the viewer's BVH
/// files (inches, +Z forward, +X left, +Y up).
namespace animbridge::sl_anim_to_bvh {

/// The viewer's own factor, not 0.0254.
inline constexpr double metres_per_inch = 0.02540005;

[[nodiscard]] inline glm::dvec3 to_bvh_axes(const glm::dvec3& v) { return {v.y, v.z, v.x}; }
[[nodiscard]] inline glm::dquat to_bvh_axes(const glm::dquat& q) { return {q.w, q.y, q.z, q.x}; }

/// Rounds to six decimals, for degrees and inches: an error of at most half a millionth, less than the
/// loader's single precision. Never returns -0.
[[nodiscard]] inline double rounded(double value) { return std::round(value * 1e6) / 1e6 + 0.0; }

/// The summed distance between the rotated tips of the unit vectors x and y.
[[nodiscard]] inline double tip_distance(const glm::dquat& a, const glm::dquat& b) {
    const glm::dvec3 x(1, 0, 0);
    const glm::dvec3 y(0, 1, 0);
    return glm::length(a * x - b * x) + glm::length(a * y - b * y);
}

}  // namespace animbridge::sl_anim_to_bvh
