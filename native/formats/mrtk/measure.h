// SPDX-License-Identifier: MIT
#pragma once

#include "base/job.h"
#include "formats/mrtk/document.h"
#include "model/clip.h"
#include "model/comparison.h"

namespace animbridge::mrtk {

inline constexpr double millimetres_per_metre = 1000.0;

/// How far the recording, played as it is meant, is from the clip: per pose at all key times of both and
/// half-way between, in the world; where curves bend, also at times along them, and nearby the largest
/// differences. Nodes of other names are not measured. The document is playable.
[[nodiscard]] Result<Comparison> measure(const Document& document, const Clip& clip, const Job& job);

}  // namespace animbridge::mrtk
