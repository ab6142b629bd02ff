// SPDX-License-Identifier: MIT
#pragma once

#include "formats/motion.h"
#include "formats/oban/format.h"

/// Converts an OBAN to an object and back; fills those members of the format's row.
namespace animbridge::oban {

[[nodiscard]] Result<CurvesMade> to_scene_curves(const File& file, const ToCurves& request);
[[nodiscard]] Result<Made> from_curves(const FromCurves& request);
/// Uses the samples' object matrices, at the file's frames.
[[nodiscard]] Result<Made> from_samples(const FromSamples& request);

/// Always 1: the object, posed in the file's axes and unit.
[[nodiscard]] Result<std::vector<std::string>> played_joints(const File& file);
[[nodiscard]] Result<void> play(const File& file, std::span<const double> times_seconds,
                                std::optional<double> stop_seconds, const PoseArrays& out);

}  // namespace animbridge::oban
