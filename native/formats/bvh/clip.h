// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "model/clip.h"

namespace animbridge::bvh {

/// Where the neutral clip has a file's axes when nobody says otherwise: +Y up and looking along +Z, as most files
/// have it, become +Z up and looking along +X; a unit, which a file does not tell, counts as a metre.
inline constexpr Placement usual_placement{{{2, 0, 1}, {1.0, 1.0, 1.0}}, 1.0};

/// Numbers beyond this, in metres or seconds, are no animation and would overflow.
inline constexpr double largest_number = 1e30;

/// The animation: nodes as the joints are, resting unturned at their offsets; a rotation track for each joint with
/// rotation channels, signs continuous, and a translation track for each with position channels, keys at the frames.
/// Scales are left out. ErrorCode::bad_value: a place or time beyond largest_number.
[[nodiscard]] Result<Clip> to_clip(const Document& document, const Placement& placement);

}  // namespace animbridge::bvh
