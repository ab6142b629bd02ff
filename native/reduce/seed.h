// SPDX-License-Identifier: MIT
#pragma once

#include "reduce/tracks.h"

namespace animbridge::reduce {

/// The share of the position bound that a single track may use at first. Errors along a chain add up, but
/// rarely all in one direction; the repair handles the rest.
inline constexpr double share_of_bound = 1.0;

/// Chooses a track's keys by its own error alone. The next key is as far away as the program's path from the
/// last one stays within `tolerance` (a chord of rotation, or metres) of the wanted values at every time of
/// `times`. A track that does not move gets one key. `evaluations` counts the work, at most a few times keys
/// x log(keys), whatever the keys are.
[[nodiscard]] Kept choose_keys(const Motion& motion, std::size_t track, const std::vector<float>& times,
                               double tolerance, std::uint64_t& evaluations);

}  // namespace animbridge::reduce
