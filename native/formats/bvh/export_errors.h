// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "model/clip.h"

namespace animbridge::bvh {

struct ExportErrors {
    double rotation_degrees = 0;  ///< between local rotations
    double position_mm = 0;       ///< between joint positions in the world
    std::size_t node = 0;         ///< the one whose position is farthest off
    std::size_t frame = 0;        ///< of the file, nearest to where it is
};

/// The largest errors of `shown` against `wanted` at these times. Both clips have the same nodes.
[[nodiscard]] ExportErrors worst_errors(const Clip& wanted, const Clip& shown, double frame_time_seconds,
                                        std::span<const double> times);

/// When the document's frames are.
[[nodiscard]] std::vector<double> frame_times(const Document& document);
/// The document's frames, the clip's keys from 0 on, and half-way between each two of them; also times along
/// the clip's curves.
[[nodiscard]] std::vector<double> times_between(const Document& document, const Clip& wanted);

/// The same for a document, written and read back; `placement` is as in to_clip.
[[nodiscard]] Result<ExportErrors> errors_as_written(const Document& document, const Clip& wanted,
                                                     const Placement& placement,
                                                     std::span<const double> times);

}  // namespace animbridge::bvh
