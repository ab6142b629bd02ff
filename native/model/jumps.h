// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/clip.h"

namespace animbridge {

/// When nodes jump: at a key after a held one of another value, or after one that is `shortest_seconds` or
/// less before it. Sorted, each time once. Tracks of properties do not count.
[[nodiscard]] std::vector<double> jump_times(const Clip& clip, double shortest_seconds);

}  // namespace animbridge
