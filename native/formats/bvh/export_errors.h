// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "model/clip.h"

namespace animbridge::bvh {

struct ExportErrors {
    double rotation_degrees = 0;  ///< of local rotations
    double position_mm = 0;       ///< of joints' places in the world
};

/// How far two clips of the same nodes are apart at frame * frame_time_seconds, at worst.
[[nodiscard]] ExportErrors worst_errors(const Clip& wanted, const Clip& shown, double frame_time_seconds,
                                        std::size_t frame_count);

/// The same for a document, written and read back, at its own frames; `placement` is as in to_clip.
[[nodiscard]] Result<ExportErrors> errors_as_written(const Document& document, const Clip& wanted,
                                                     const Placement& placement);

}  // namespace animbridge::bvh
