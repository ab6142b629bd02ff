// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

/// Between Unity's space, as in the file (left-handed, Y up), and clip space (right-handed, Z up): Y and Z
/// change places, which is its own inverse. A joint's forward axis, Unity's +Z, becomes +Y, the axis of a
/// bone.
namespace animbridge::mrtk {

[[nodiscard]] inline glm::dvec3 swapped(const glm::dvec3& v) { return {v.x, v.z, v.y}; }
[[nodiscard]] inline glm::dquat swapped(const glm::dquat& q) { return {q.w, -q.x, -q.z, -q.y}; }

}  // namespace animbridge::mrtk
