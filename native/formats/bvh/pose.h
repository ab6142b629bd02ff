// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/json.h"
#include "formats/bvh/document.h"

namespace animbridge::bvh {

/// Poses as `animbridge pose --json` prints them, along the file's axes and in its unit. Poses between frames
/// are interpolated linearly. A file without a frame time plays one frame a second.
[[nodiscard]] Result<Json> pose_json(const Document& document, std::span<const double> times_seconds);

}  // namespace animbridge::bvh
