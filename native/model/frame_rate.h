// SPDX-License-Identifier: MIT
#pragma once

#include "model/clip.h"

namespace animbridge {

/// Frames per second where nothing else is known.
inline constexpr double usual_rate = 30.0;

/// The rate that the clip's source says. If it says none: the lowest usual rate at which every key stands at
/// a frame, without inserted ones; else usual_rate.
[[nodiscard]] double usual_rate_of(const Clip& clip);

/// The same, but where no usual rate has a frame for every key, the usual rate nearest to that of the keys:
/// of the shortest tenth of the times between two keys, because recordings leave out keys. At least
/// usual_rate.
[[nodiscard]] double sampling_rate_of(const Clip& clip);

}  // namespace animbridge
