// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/clip.h"

namespace animbridge {

/// The times at which nodes jump: at a key that differs from the one before, if that one is held or at most
/// `shortest_seconds` earlier. Sorted, without duplicates. Tracks of properties do not count.
[[nodiscard]] std::vector<double> jump_times(const Clip& clip, double shortest_seconds);

}  // namespace animbridge
