// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

/// Converts Unity's space, which is left-handed with Y up, to clip space: swaps Y and Z. That is a
/// reflection, so the axis of a rotation also changes its sign. Each function is its own inverse.
namespace animbridge::mrtk {

[[nodiscard]] inline glm::dvec3 swapped(const glm::dvec3& v) { return {v.x, v.z, v.y}; }
[[nodiscard]] inline glm::dquat swapped(const glm::dquat& q) { return {q.w, -q.x, -q.z, -q.y}; }

}  // namespace animbridge::mrtk
