// SPDX-License-Identifier: MIT
#pragma once

#include "model/clip.h"

namespace animbridge::bvh {

struct ExportErrors {
    double rotation_degrees = 0;  ///< between local rotations
    double position_mm = 0;       ///< between joint positions in the world
};

/// The largest errors of `shown` against `wanted` at frames i * frame_time_seconds. Both clips have the same
/// nodes.
[[nodiscard]] ExportErrors worst_errors(const Clip& wanted, const Clip& shown, double frame_time_seconds,
                                        std::size_t frame_count);

}  // namespace animbridge::bvh
