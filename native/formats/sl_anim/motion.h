// SPDX-License-Identifier: MIT
#pragma once

#include "formats/motion.h"
#include "formats/sl_anim/document.h"

/// A .anim on an armature and back: what the format's row says about scenes.
namespace animbridge::sl_anim {

[[nodiscard]] Result<CurvesMade> to_curves(const Document& document, const ToCurves& request);
[[nodiscard]] Result<Made> from_curves(const FromCurves& request);
[[nodiscard]] Result<Made> from_samples(const FromSamples& request);

/// The first record of each name.
[[nodiscard]] Result<std::size_t> joint_count(const Document& document);
[[nodiscard]] Result<void> play(const Document& document, std::span<const double> times_seconds,
                                std::optional<double> stop_seconds, const PoseArrays& out);

}  // namespace animbridge::sl_anim
