// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <glm/vec3.hpp>
#include <vector>

namespace animbridge::scene_child {

using Triangle = std::array<glm::dvec3, 3>;

/// A triangle near each of the positions, about a thousandth of their extent, or a millimetre. No two corners
/// coincide, even if positions do: Assimp 6.0.5 joins such corners, and crashes.
[[nodiscard]] std::vector<Triangle> carrier_triangles(const std::vector<glm::dvec3>& places);

}  // namespace animbridge::scene_child
