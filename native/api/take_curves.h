// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "api/handles.h"
#include "rig/curves.h"

namespace animbridge::api {

/// The curves of a caller: those that changed, and the channels that did not.
struct TakenCurves {
    std::vector<rig::CurveView> views;
    std::vector<rig::UnchangedCurve> unchanged;
};

/// The views refer to the caller's arrays. `armature`: nullptr for an object, whose curves have bone -1.
[[nodiscard]] Result<TakenCurves> take_curves(const ab_curve* curves, std::size_t count,
                                              const rig::Armature* armature);

}  // namespace animbridge::api
