// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <tuple>
#include <vector>

#include "api/handles.h"
#include "convert/sl_export.h"
#include "rig/curves.h"

namespace animbridge::api {

/// Which F-curves have been given so far.
class GivenCurves {
public:
    /// An error where the same curve was given before; `of_what` as a message says it.
    [[nodiscard]] Result<void> add(const ab_curve& curve, const std::string& of_what);

private:
    std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t>> given_;
};

/// The curves of a caller: those that changed, and the channels that did not.
struct TakenCurves {
    std::vector<rig::CurveView> views;
    std::vector<UnchangedCurve> unchanged;
};

/// The views refer to the caller's arrays.
[[nodiscard]] Result<TakenCurves> take_curves(const ab_curve* curves, std::size_t count,
                                              const rig::Armature& armature);

}  // namespace animbridge::api
