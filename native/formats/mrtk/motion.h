// SPDX-License-Identifier: MIT
#pragma once

#include "formats/motion.h"
#include "formats/mrtk/document.h"

/// The scene functions of the format's row; formats/motion.h describes them.
namespace animbridge::mrtk {

/// The bones that play a recording, in the form of ab_skeleton_json; without a document, two flat hands.
[[nodiscard]] Result<Json> skeleton(const AnyDocument* document, const Json& options);
[[nodiscard]] Result<CurvesMade> to_curves(const Document& document, const ToCurves& request);

}  // namespace animbridge::mrtk
