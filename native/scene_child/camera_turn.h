// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <map>
#include <optional>

#include "formats/scene/document.h"

namespace animbridge::scene_child {

/// The rotation that takes -Z to `look` and +Y to the `up` nearest to it. nullopt: the two are parallel, or
/// have no length.
[[nodiscard]] std::optional<glm::dquat> camera_turn(const glm::dvec3& look, const glm::dvec3& up);

/// Rotates the frames of nodes whose cameras do not look along -Z, by the rotation of camera_turn, in rest
/// and keys. Their children stay in place in the world.
void turn_cameras(scene::Document& document, const std::map<std::uint32_t, glm::dquat>& turns);

}  // namespace animbridge::scene_child
