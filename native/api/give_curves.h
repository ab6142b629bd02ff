// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "api/handles.h"

namespace animbridge::api {

/// Hands finished curves and their report to the caller. Fails where a key lies further out than single
/// precision reaches: many frames per second, or a large scale, make any file do so.
[[nodiscard]] Result<void> give_curves(rig::CurvesFromClip made, std::string report, ab_curves** out);

}  // namespace animbridge::api
