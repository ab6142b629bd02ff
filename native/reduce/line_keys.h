// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "model/clip.h"

/// Which keys linear interpolation needs to show the same motion, by the Ramer-Douglas-Peucker algorithm. All
/// numbers of a channel share their keys.
namespace animbridge::reduce {

/// Whether each key stays, so that at every key's time the lines between the kept keys are within the bound:
/// the distance in mm, or the angle in degrees after normalising the rotation. `bound` 0: all stay. The track
/// must have whole rows and more than one key, in order of time.
[[nodiscard]] std::vector<bool> needed_keys(const Track& track, double bound);

/// The track with only the needed keys.
[[nodiscard]] Track without_needless_keys(const Track& track, double bound);

}  // namespace animbridge::reduce
