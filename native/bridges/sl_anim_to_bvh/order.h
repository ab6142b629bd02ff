// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <glm/gtc/quaternion.hpp>

#include "formats/bvh/document.h"

/// In which order a joint's rotation channels stand.
namespace animbridge::sl_anim_to_bvh {

/// The axes in file order: turned about the last first.
using AxisOrder = std::array<int, 3>;

/// The order that the joint has in the files of the viewer's makers (where they have none, that of the
/// trunk), unless its middle angle comes near a right angle, where the other two jump about: then the order
/// whose middle angle stays farthest from it. `joint` as skeleton() calls it; `rotations` in the file's axes.
[[nodiscard]] AxisOrder axis_order(std::string_view joint, const std::vector<glm::dquat>& rotations);

[[nodiscard]] std::vector<bvh::ChannelKind> channels_of(AxisOrder order, bool positions);

/// The rotation as the product of its channels, with the sign that this gives it.
[[nodiscard]] glm::dquat rotation_of(AxisOrder order, const glm::dvec3& degrees);

/// Degrees about x, y, z, each the nearest to `before` that gives the rotation.
[[nodiscard]] glm::dvec3 degrees_near(AxisOrder order, const glm::dquat& rotation, const glm::dvec3& before);

}  // namespace animbridge::sl_anim_to_bvh
