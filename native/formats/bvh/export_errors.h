// SPDX-License-Identifier: MIT
#pragma once

#include "model/clip.h"

namespace animbridge::bvh {

struct ExportErrors {
    double rotation_degrees = 0;  ///< of local rotations
    double position_mm = 0;       ///< of joints' places in the world
};

/// How far two clips of the same nodes are apart at frame * frame_time_seconds, at worst.
[[nodiscard]] ExportErrors worst_errors(const Clip& wanted, const Clip& shown, double frame_time_seconds,
                                        std::size_t frame_count);

}  // namespace animbridge::bvh
