// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "formats/motion.h"
#include "model/clip.h"

/// Poses as JSON, and the player of formats whose files are played as their clip is: no program has rules of
/// its own for them.
namespace animbridge {

/// {"poses": [...]} of what `play` puts into arrays. A pose is what the format says (PoseArrays::rows), or
/// {"seconds", "clip_seconds", "weight", "joints": [{"joint", "local_rotation_wxyz", "local_position",
/// "world_rotation_wxyz", "world_position"}]}, where a joint lacks what is NaN.
[[nodiscard]] Result<Json> poses_json(std::span<const double> times_seconds,
                                      const std::vector<std::string>& joints,
                                      const std::function<Result<void>(const PoseArrays& out)>& play);

/// What a row's `play` gives. ErrorCode::invalid_argument: the arrays have no room for the joints.
[[nodiscard]] Result<void> play_clip(const Clip& clip, std::span<const double> times_seconds,
                                     const PoseArrays& out);

}  // namespace animbridge
