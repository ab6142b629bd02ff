// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/format.h"
#include "formats/motion.h"

/// Converts a BVH to an armature and back; fills those members of the format's row.
namespace animbridge::bvh {

[[nodiscard]] Result<CurvesMade> to_scene_curves(const File& file, const ToCurves& request);
[[nodiscard]] Result<Made> from_curves(const FromCurves& request);
[[nodiscard]] Result<Made> from_samples(const FromSamples& request);

/// Poses along the file's axes and in its unit, between frames interpolated linearly; ease weights are 1. A
/// file without a frame time plays one frame a second.
[[nodiscard]] Result<std::vector<std::string>> played_joints(const File& file);
[[nodiscard]] Result<void> play(const File& file, std::span<const double> times_seconds,
                                std::optional<double> stop_seconds, const PoseArrays& out);

}  // namespace animbridge::bvh
