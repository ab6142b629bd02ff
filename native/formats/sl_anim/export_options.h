// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "base/option.h"
#include "formats/motion.h"
#include "formats/sl_anim/clip.h"
#include "formats/sl_anim/limits.h"
#include "reduce/bound.h"
#include "rig/curves.h"

namespace animbridge::sl_anim {

/// The options of exports to .anim, which animbridge.h describes.
struct ExportOptions {
    FromClip from_clip{};
    Limits limits{};
    std::optional<reduce::Bound> bound = reduce::Bound();  ///< for samples; null: every key stays
    double stop_above_mm = usual_stop_mm;                  ///< 0: an export never stops because of its error
};

[[nodiscard]] std::span<const Option> curve_options();
/// curve_options(), and those of the bound.
[[nodiscard]] std::span<const Option> sample_options();

/// Reads curve_options(); `base`, the template, may be null. ErrorCode::bad_value names the member.
[[nodiscard]] Result<ExportOptions> curve_options_from(const Json& json, const rig::Timing& timing,
                                                       const Document* base);
/// Like curve_options_from, but also reads the bound.
[[nodiscard]] Result<ExportOptions> sample_options_from(const Json& json, const rig::Timing& timing,
                                                        const Document* base);

}  // namespace animbridge::sl_anim
