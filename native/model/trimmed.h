// SPDX-License-Identifier: MIT
#pragma once

#include "model/clip.h"

namespace animbridge {

/// The part of a clip from `start_seconds` to `end_seconds`, moved to 0. Keys inside stay unchanged; a track
/// that is cut between two keys gets a key there that keeps its curve, if the handles there do not overlap in
/// time. Markers outside move to the cut.
[[nodiscard]] Clip trimmed(Clip clip, double start_seconds, double end_seconds);

}  // namespace animbridge
