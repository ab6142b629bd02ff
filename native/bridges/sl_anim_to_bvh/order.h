// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <glm/gtc/quaternion.hpp>

#include "formats/bvh/file/file.h"

/// The order of a joint's rotation channels.
namespace animbridge::sl_anim_to_bvh {

/// Axes in file order; the last one turns first.
using AxisOrder = std::array<int, 3>;

/// The order that the joint has in the files of the viewer's makers, or that of the trunk. If its middle
/// angle comes near 90 degrees, where the other two angles jump: the order whose middle angle stays farthest
/// from that. `joint` is a name in skeleton(); `rotations` are in the file's axes.
[[nodiscard]] AxisOrder axis_order(std::string_view joint, const std::vector<glm::dquat>& rotations);

[[nodiscard]] std::vector<bvh::ChannelKind> channels_of(AxisOrder order, bool positions);

/// The rotation as the product of its channels, with the resulting sign.
[[nodiscard]] glm::dquat rotation_of(AxisOrder order, const glm::dvec3& degrees);

/// Degrees about x, y, z that give the rotation and are nearest to `before`.
[[nodiscard]] glm::dvec3 degrees_near(AxisOrder order, const glm::dquat& rotation, const glm::dvec3& before);

}  // namespace animbridge::sl_anim_to_bvh
