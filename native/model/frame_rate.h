// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "model/clip.h"

namespace animbridge {

/// Frames per second where nothing else is known.
inline constexpr double usual_rate = 30.0;

/// The rates at which animation is recorded and played, ascending.
inline constexpr std::array<double, 9> usual_rates = {24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0};

/// The rate to sample the clip at: what its source says. If it says none, the lowest usual rate at which
/// every key stands at a frame. Keys that were inserted do not count. Where no usual rate has a frame for
/// every key, about the rate at which the source was recorded, and at least usual_rate. Recordings leave out
/// keys, but different ones on each track, and all keys are at frames of the recorder. So the rate is that of
/// the shortest times from one key to the next, whatever their tracks: itself, if it is a whole number at
/// which every key stands at a frame; else the usual rate nearest to it.
[[nodiscard]] double frame_rate_of(const Clip& clip);

}  // namespace animbridge
