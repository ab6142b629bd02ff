// SPDX-License-Identifier: MIT
#pragma once

#include "formats/scene/document.h"
#include "formats/scene/frames.h"
#include "model/clip.h"

namespace animbridge::scene {

/// The channel, which is not of scales, as a track of the clip's node `joint`. `scale`: the node's own.
[[nodiscard]] Track track_of(const Channel& channel, const Frame& frame, const glm::dvec3& scale,
                             std::size_t joint, double shift_seconds);

/// What the track of a channel takes: the numbers of its keys, with those that are inserted.
[[nodiscard]] std::size_t track_bytes(const Channel& channel);

}  // namespace animbridge::scene
