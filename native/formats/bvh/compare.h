// SPDX-License-Identifier: MIT
#pragma once

#include "base/job.h"
#include "base/result.h"
#include "formats/bvh/document.h"
#include "model/comparison.h"

namespace animbridge::bvh {

/// Plays both at the union of their frames' times and half-way between, each held behind its end; where one
/// has no time between its frames (0 or less), both go on a frame a second. Joints belong together by their
/// names, those of one name in their order; a joint that only one file has counts as moved by that one.
/// Places along the files' axes; a unit, which a file does not tell, counts as a metre. ErrorCode::bad_value:
/// a place or time beyond largest_number. Takes as long as the times and the joints that move, or hang below
/// one that moves, make pairs; joints that hold still cost nothing.
[[nodiscard]] Result<Comparison> compare(const Document& a, const Document& b, const Job& job);

}  // namespace animbridge::bvh
