// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "model/clip.h"

namespace animbridge {

/// Multiply the rotation of a camera's node by it, on the right, to get the same picture with other axes.
[[nodiscard]] glm::dquat turn_between(Camera::Axes from, Camera::Axes to);

/// The clip with all its cameras looking along these axes of their nodes; the cameras' children keep their
/// place. nullopt: all cameras do so already.
[[nodiscard]] std::optional<Clip> with_camera_axes(const Clip& clip, Camera::Axes axes);

}  // namespace animbridge
