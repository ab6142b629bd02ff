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

/// As animbridge.h describes the options of exports to .anim.
struct ExportOptions {
    FromClip from_clip{};
    Limits limits{};
    std::optional<reduce::Bound> bound = reduce::Bound();  ///< of samples; none: every key stays
    double stop_above_mm = usual_stop_mm;                  ///< 0: an export never stops for its error
};

[[nodiscard]] std::span<const Option> curve_options();
/// Those of curves, and the bound.
[[nodiscard]] std::span<const Option> sample_options();

/// What curves are exported with; `base`, the template, may be null. ErrorCode::bad_value names the member.
[[nodiscard]] Result<ExportOptions> curve_options_from(const Json& json, const rig::Timing& timing,
                                                       const Document* base);
/// The same for samples, with the bound.
[[nodiscard]] Result<ExportOptions> sample_options_from(const Json& json, const rig::Timing& timing,
                                                        const Document* base);

}  // namespace animbridge::sl_anim
