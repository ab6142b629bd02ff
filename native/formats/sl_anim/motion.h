// SPDX-License-Identifier: MIT
#pragma once

#include "formats/motion.h"
#include "formats/sl_anim/document.h"

/// Converts a .anim to an armature and back; fills those members of the format's row.
namespace animbridge::sl_anim {

[[nodiscard]] Result<CurvesMade> to_curves(const Document& document, const ToCurves& request);
[[nodiscard]] Result<Made> from_curves(const FromCurves& request);
[[nodiscard]] Result<Made> from_samples(const FromSamples& request);

/// Each joint once: the viewer plays only its first record.
[[nodiscard]] Result<std::vector<std::string>> played_joints(const Document& document);
[[nodiscard]] Result<void> play(const Document& document, std::span<const double> times_seconds,
                                std::optional<double> stop_seconds, const PoseArrays& out);

}  // namespace animbridge::sl_anim
