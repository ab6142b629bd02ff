// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <vector>

/// Keeps the viewer's loader from dropping keys that it should keep.
///
/// The loader tests a frame against the chord from the last kept one only when the next frame comes, so a
/// slow bend can drift by degrees. If the result would deviate by more than the limits below, the frame after
/// the one to keep is moved just far enough for the test to fail. The loader then usually drops the moved
/// frame itself.
namespace animbridge::sl_anim_to_bvh {

/// How far the loader's keys may be from the animation before a frame is moved.
inline constexpr double most_stray_degrees = 0.8;
inline constexpr double most_stray_mm = 1.2;

/// The frames of a track. Frame 0 is first; the loader uses it only as its reference. Rotations have the
/// signs of their channels' products. Returns the moved frames in ascending order.
[[nodiscard]] std::vector<std::size_t> hold_rotation_keys(std::vector<glm::dquat>& rotations,
                                                          std::size_t depth);

/// `positions` are in inches.
[[nodiscard]] std::vector<std::size_t> hold_position_keys(std::vector<glm::dvec3>& positions);

}  // namespace animbridge::sl_anim_to_bvh
