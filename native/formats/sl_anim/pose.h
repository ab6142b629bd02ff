// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "base/json.h"
#include "formats/sl_anim/document.h"

namespace animbridge::sl_anim {

/// {"poses": [{"seconds", "clip_seconds", "weight", "joints": [...]}]}, as `animbridge pose --json` prints
/// it. The document must be playable.
[[nodiscard]] Json pose_json(const Document& document, std::span<const double> times_seconds,
                             std::optional<double> stop_seconds);

}  // namespace animbridge::sl_anim
