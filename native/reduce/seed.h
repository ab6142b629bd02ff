// SPDX-License-Identifier: MIT
#pragma once

#include "reduce/tracks.h"

namespace animbridge::reduce {

/// Which part of the bound on places a single track gets to begin with: errors along a chain add up, but
/// seldom all in one direction, and what is too much is mended.
inline constexpr double share_of_bound = 1.0;

/// A first choice of a track's keys, by its own error alone: from each key the next is as far on as the
/// program's path between them stays within `tolerance` (a chord of rotation, or metres) of what the track
/// shall show at every time of `times`. One key where the track holds still. At most a few times
/// keys x log(keys) looks, whatever the keys are; `looks` counts them.
[[nodiscard]] Kept choose_keys(const Motion& motion, std::size_t track, const std::vector<float>& times,
                               double tolerance, std::uint64_t& looks);

}  // namespace animbridge::reduce
