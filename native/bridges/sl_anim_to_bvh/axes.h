// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

/// Between the avatar's space (metres, +X forward, +Y left, +Z up) and that of the viewer's BVH files
/// (inches, +Z forward, +X left, +Y up).
namespace animbridge::sl_anim_to_bvh {

/// The viewer's own factor, not 0.0254.
inline constexpr double metres_per_inch = 0.02540005;

[[nodiscard]] inline glm::dvec3 to_bvh_axes(const glm::dvec3& v) { return {v.y, v.z, v.x}; }
[[nodiscard]] inline glm::dquat to_bvh_axes(const glm::dquat& q) { return {q.w, q.y, q.z, q.x}; }

/// Degrees and inches have six decimals: off by half of a millionth at most, less than the loader's own
/// single precision. Never -0.
[[nodiscard]] inline double rounded(double value) { return std::round(value * 1e6) / 1e6 + 0.0; }

}  // namespace animbridge::sl_anim_to_bvh
