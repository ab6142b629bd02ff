// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/json.h"
#include "formats/motion.h"
#include "model/clip.h"

/// For formats whose files are played as their clip is: no program has rules of its own for them.
namespace animbridge {

/// What a row's `pose` gives.
[[nodiscard]] Json clip_pose_json(const Clip& clip, std::span<const double> times_seconds);

/// What a row's `play` gives. ErrorCode::invalid_argument: the arrays have no room for the joints.
[[nodiscard]] Result<void> play_clip(const Clip& clip, std::span<const double> times_seconds,
                                     const PoseArrays& out);

}  // namespace animbridge
