// SPDX-License-Identifier: MIT
#pragma once

#include "rig/curves.h"

namespace animbridge::rig {

/// An F-curve as a scalar track with frames as times. ErrorCode::bad_value names the bone or the property,
/// and the error in its curve. `bone` is not used for a property.
[[nodiscard]] Result<Track> scalar_track(const CurveView& curve, const Bone& bone);

}  // namespace animbridge::rig
