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

/// When the document's frames are.
[[nodiscard]] std::vector<double> frame_times(const Document& document);

/// When a document is compared with the clip that it was made from: at its frames, at the clip's keys from 0
/// on and half-way between each two of them; also at times along the clip's curves.
struct ComparedTimes {
    std::vector<double> even;     ///< all but the next ones
    std::vector<double> jumping;  ///< inside the frames in which the clip jumps. A BVH moves evenly there
    std::size_t jumps = 0;        ///< how many frames that are
};
/// `jump_seconds`: what is quicker than this is a jump too.
[[nodiscard]] ComparedTimes compared_times(const Document& document, const Clip& wanted,
                                           double jump_seconds = 0.0);

/// What the document shows once it is written and read back; `placement` is as in to_clip.
[[nodiscard]] Result<Clip> as_written(const Document& document, const Placement& placement);

}  // namespace animbridge::bvh
