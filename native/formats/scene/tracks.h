// SPDX-License-Identifier: MIT
#pragma once

#include "formats/scene/document.h"
#include "formats/scene/frames.h"
#include "model/clip/clip.h"

namespace animbridge::scene {

/// The channel, which must not be of scales, as a track of the clip's node `joint`. `scale`: the node's own.
[[nodiscard]] Track track_of(const Channel& channel, const Frame& frame, const glm::dvec3& scale,
                             std::size_t joint, double shift_seconds);

/// The size of a channel's track: the numbers of its keys, including inserted ones.
[[nodiscard]] std::size_t track_bytes(const Channel& channel);

}  // namespace animbridge::scene
