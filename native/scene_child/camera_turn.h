// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <map>
#include <optional>

#include "formats/scene/document.h"

namespace animbridge::scene_child {

/// The rotation that takes -Z to `look` and +Y to the `up` nearest to it. None: the two are along one line,
/// or have no length.
[[nodiscard]] std::optional<glm::dquat> camera_turn(const glm::dvec3& look, const glm::dvec3& up);

/// Turns the frames of nodes whose cameras look elsewhere than along -Z, by the rotation of camera_turn, in
/// rest and keys. Their children stay where they are in the world.
void turn_cameras(scene::Document& document, const std::map<std::uint32_t, glm::dquat>& turns);

}  // namespace animbridge::scene_child
