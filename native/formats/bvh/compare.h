// SPDX-License-Identifier: MIT
#pragma once

#include "base/job.h"
#include "base/result.h"
#include "formats/bvh/document.h"
#include "model/comparison.h"

namespace animbridge::bvh {

/// Plays both files at each frame time of either and at the midpoints between them, holding each file's last
/// pose after its end. If either file has no frame time (0 or less), both play one frame per second. Joints
/// match by name; joints with the same name match in order. A joint that only one file has is listed as such.
/// Positions are along the files' axes; a BVH does not state its unit, so one unit counts as a metre.
/// ErrorCode::bad_value: a position or time beyond largest_number. Time is linear in times * joints that
/// move, or have an ancestor that moves.
[[nodiscard]] Result<Comparison> compare(const Document& a, const Document& b, const Job& job);

}  // namespace animbridge::bvh
