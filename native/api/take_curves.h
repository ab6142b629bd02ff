// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "api/handles.h"
#include "rig/curves/curves.h"

namespace animbridge::api {

/// A caller's curves: the changed ones, and the channels that are unchanged.
struct TakenCurves {
    std::vector<rig::CurveView> views;
    std::vector<rig::UnchangedCurve> unchanged;
};

/// Checks a caller's curves. The views refer to the caller's arrays. `armature`: nullptr for an object, whose
/// curves have bone -1.
[[nodiscard]] Result<TakenCurves> take_curves(const ab_curve* curves, std::size_t count,
                                              const rig::Armature* armature);

}  // namespace animbridge::api
