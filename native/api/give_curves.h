// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "api/handles.h"

namespace animbridge::api {

/// Gives the curves and their report to the caller. ErrorCode::bad_value if a key exceeds the range of
/// floats, which a very high frame rate or scale can cause.
[[nodiscard]] Result<void> give_curves(rig::CurvesFromClip made, std::string report, ab_curves** out);

}  // namespace animbridge::api
