// SPDX-License-Identifier: MIT
#pragma once

#include "base/job.h"
#include "formats/mrtk/document.h"
#include "model/clip.h"
#include "model/comparison.h"

namespace animbridge::mrtk {

inline constexpr double millimetres_per_metre = 1000.0;

/// How far the recording, played as it is meant, is from the clip: per pose, in the world, at all key times
/// of both and at the midpoints; where curves bend, also at times along them, and near the largest
/// differences. Nodes with other names are not measured. The document must be playable.
[[nodiscard]] Result<Comparison> measure(const Document& document, const Clip& clip, const Job& job);

}  // namespace animbridge::mrtk
