// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "model/clip.h"

namespace animbridge::bvh {

struct ExportErrors {
    double rotation_degrees = 0;  ///< between local rotations
    double position_mm = 0;       ///< between joint positions in the world
    std::size_t node = 0;         ///< the one whose position is farthest off
    std::size_t frame = 0;        ///< of the file, where it is
};

/// The largest errors of `shown` against `wanted` at frames i * frame_time_seconds. Both clips have the same
/// nodes.
[[nodiscard]] ExportErrors worst_errors(const Clip& wanted, const Clip& shown, double frame_time_seconds,
                                        std::size_t frame_count);

/// The same for a document, written and read back, at its own frames; `placement` is as in to_clip.
[[nodiscard]] Result<ExportErrors> errors_as_written(const Document& document, const Clip& wanted,
                                                     const Placement& placement);

}  // namespace animbridge::bvh
