// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "model/clip.h"

namespace animbridge {

/// Frames per second if nothing else is known.
inline constexpr double usual_rate = 30.0;

/// The rates at which animation is recorded and played, ascending.
inline constexpr std::array<double, 9> usual_rates = {24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0};

/// The rate to sample the clip at: that of its source, if it has one. Else the lowest usual rate at which
/// every key is at a frame; inserted keys do not count. If there is none, about the rate at which the source
/// was recorded, and at least usual_rate. Recordings leave out keys, but different ones on each track, and
/// all keys are at frames of the recorder. So the rate follows from the shortest times between keys of any
/// track: this rate rounded, if every key is then at a frame; else the usual rate nearest to it.
[[nodiscard]] double frame_rate_of(const Clip& clip);

}  // namespace animbridge
