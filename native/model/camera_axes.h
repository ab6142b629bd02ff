// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "model/clip.h"

namespace animbridge {

/// The same picture for a camera with other axes: what its node's rotation is multiplied with, on the right.
[[nodiscard]] glm::dquat turn_between(Camera::Axes from, Camera::Axes to);

/// The clip with all its cameras looking along these axes of their nodes; what hangs below them stays where
/// it was. nullopt: they do already.
[[nodiscard]] std::optional<Clip> with_camera_axes(const Clip& clip, Camera::Axes axes);

}  // namespace animbridge
