// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

namespace animbridge::scene_child {

/// Angles in radians about fixed axes: X first, then Y, then Z, which is FBX's "XYZ". Among all triples for
/// this rotation, the one nearest to `close_to`.
[[nodiscard]] glm::dvec3 angles_of(const glm::dquat& rotation, const glm::dvec3& close_to);

[[nodiscard]] glm::dquat rotation_of(const glm::dvec3& angles);

}  // namespace animbridge::scene_child
