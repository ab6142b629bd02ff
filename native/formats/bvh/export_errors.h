// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "model/clip.h"
#include "model/comparison.h"

namespace animbridge::bvh {

/// The largest errors of `shown` against `wanted` at these times. Both clips have the same nodes, at least
/// one; where none is off, the first is named.
[[nodiscard]] WorstDifference worst_errors(const Clip& wanted, const Clip& shown,
                                           std::span<const double> times);

/// The times of the document's frames.
[[nodiscard]] std::vector<double> frame_times(const Document& document);

/// The times at which a document is compared with the clip that it was made from: its frames, the clip's keys
/// from 0 on and the midpoints between them; also times along the clip's curves.
struct ComparedTimes {
    std::vector<double> even;     ///< all except `jumping`
    std::vector<double> jumping;  ///< inside the frames in which the clip jumps but a BVH moves evenly
    std::size_t jumps = 0;        ///< the number of those frames
};
/// `jump_seconds`: motion that takes less time is a jump too.
[[nodiscard]] ComparedTimes compared_times(const Document& document, const Clip& wanted,
                                           double jump_seconds = 0.0);

/// The clip of the document after it is written and read back; `placement` is as in to_clip.
[[nodiscard]] Result<Clip> as_written(const Document& document, const Placement& placement);

}  // namespace animbridge::bvh
