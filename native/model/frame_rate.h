// SPDX-License-Identifier: MIT
#pragma once

#include "model/clip.h"

namespace animbridge {

/// Frames per second where nothing else is known.
inline constexpr double usual_rate = 30.0;

/// The lowest usual rate at which every key of the clip stands at a frame; else usual_rate.
[[nodiscard]] double usual_rate_of(const Clip& clip);

}  // namespace animbridge
