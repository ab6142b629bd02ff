// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <map>
#include <optional>

#include "formats/scene_file/file/file.h"

/// Rotations that readers and writers of scenes both need.
namespace animbridge::scene_child::common {

/// The rotation that takes -Z to `look` and +Y to the `up` nearest to it. nullopt: the two are parallel, or
/// have no length.
[[nodiscard]] std::optional<glm::dquat> camera_turn(const glm::dvec3& look, const glm::dvec3& up);

/// Rotates the frames of nodes whose cameras do not look along -Z, by the rotation of camera_turn, in rest
/// and keys. Their children stay in place in the world.
void turn_cameras(scene_file::file::Document& document, const std::map<std::uint32_t, glm::dquat>& turns);

/// Angles in radians about fixed axes: X first, then Y, then Z, which is FBX's "XYZ". Among all triples for
/// this rotation, the one nearest to `close_to`.
[[nodiscard]] glm::dvec3 angles_of(const glm::dquat& rotation, const glm::dvec3& close_to);

[[nodiscard]] glm::dquat rotation_of(const glm::dvec3& angles);

}  // namespace animbridge::scene_child::common
