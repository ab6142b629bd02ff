// SPDX-License-Identifier: MIT
#pragma once

#include "formats/motion.h"
#include "formats/mrtk/document.h"

/// The row's functions for scenes, as formats/motion.h describes them.
namespace animbridge::mrtk {

/// The bones that play a recording, as ab_skeleton_json describes them; without a document, two flat hands.
[[nodiscard]] Result<Json> skeleton(const AnyDocument* document, const Json& options);
[[nodiscard]] Result<CurvesMade> to_curves(const Document& document, const ToCurves& request);

}  // namespace animbridge::mrtk
