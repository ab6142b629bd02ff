// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "model/clip.h"

/// Which of many keys are needed for lines to show the same motion: Ramer, Douglas and Peucker's way. The
/// numbers of a channel keep common keys.
namespace animbridge::reduce {

/// Per key whether it stays, so that at every key's time the lines between those that stay are within the
/// bound: the distance in mm, or the angle in degrees after making the rotation of length 1. `bound` 0: all
/// stay. The track has whole rows and more than one key, in order of time.
[[nodiscard]] std::vector<bool> needed_keys(const Track& track, double bound);

/// The track with the needed keys only.
[[nodiscard]] Track without_needless_keys(const Track& track, double bound);

}  // namespace animbridge::reduce
