// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <vector>

/// Keeps the viewer's loader from dropping keys that it should keep.
///
/// The loader tests a frame against the chord from the last kept one only at the moment when the next frame
/// comes: a slow bend drifts past it, by degrees. Where what it leaves would be farther off than `strays`
/// allows, the frame after the one that it must keep is moved just far enough for that test to see it. As a
/// rule the loader then drops the moved frame itself.
namespace animbridge::sl_anim_to_bvh {

/// How far the loader's keys may be from the animation before a frame is moved.
inline constexpr double most_stray_degrees = 0.8;
inline constexpr double most_stray_mm = 1.2;

/// Frames of a track, frame 0 (which the loader looks at for its difference only) first. Rotations have the
/// signs that the products of their channels have. Returns the frames that were moved, ascending.
[[nodiscard]] std::vector<std::size_t> hold_rotation_keys(std::vector<glm::dquat>& rotations,
                                                          std::size_t depth);

/// Positions in inches.
[[nodiscard]] std::vector<std::size_t> hold_position_keys(std::vector<glm::dvec3>& positions);

}  // namespace animbridge::sl_anim_to_bvh
