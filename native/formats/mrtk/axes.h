// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

/// From Unity's space, which is left-handed with Y up, to clip space and back: Y and Z change places. That is
/// a reflection, so the axis of a rotation also changes its sign. Both ways are the same.
namespace animbridge::mrtk {

[[nodiscard]] inline glm::dvec3 swapped(const glm::dvec3& v) { return {v.x, v.z, v.y}; }
[[nodiscard]] inline glm::dquat swapped(const glm::dquat& q) { return {q.w, -q.x, -q.z, -q.y}; }

/// A number of a clip's row is plus or minus one curve of the file, so keys, slopes and weights carry over.
struct Source {
    std::size_t curve = 0;  ///< from the first curve of the position or rotation
    double sign = 1;
};
inline constexpr std::array<Source, 3> translation_sources = {{{0, 1}, {2, 1}, {1, 1}}};
/// Of w, x, y, z; the file has x, y, z, w.
inline constexpr std::array<Source, 4> rotation_sources = {{{3, 1}, {0, -1}, {2, -1}, {1, -1}}};

}  // namespace animbridge::mrtk
