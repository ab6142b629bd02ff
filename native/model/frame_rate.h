// SPDX-License-Identifier: MIT
#pragma once

#include "model/clip.h"

namespace animbridge {

/// Frames per second where nothing else is known.
inline constexpr double usual_rate = 30.0;

/// The rate that the clip's source says. If it says none: the lowest usual rate at which every key stands at
/// a frame, without inserted ones; else usual_rate.
[[nodiscard]] double usual_rate_of(const Clip& clip);

}  // namespace animbridge
