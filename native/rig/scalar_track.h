// SPDX-License-Identifier: MIT
#pragma once

#include "rig/curves.h"

namespace animbridge::rig {

/// An F-curve as a scalar track whose times are frames. ErrorCode::bad_value names the bone and what is wrong
/// with its curve.
[[nodiscard]] Result<Track> scalar_track(const CurveView& curve, const Bone& bone);

}  // namespace animbridge::rig
