// SPDX-License-Identifier: MIT
#include "api/give_curves.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace animbridge::api {

namespace {

Result<void> require_finite(const std::vector<std::vector<float>>& all_points) {
    for (const std::vector<float>& points : all_points) {
        const auto found = std::find_if_not(points.begin(), points.end(),
                                            [](float number) { return std::isfinite(number); });
        if (found != points.end()) {
            const auto key = static_cast<std::size_t>(found - points.begin()) / 2;
            Error error{ErrorCode::bad_value,
                        "key " + std::to_string(key) + " is at frame " + std::to_string(points[2 * key]) +
                            " with the value " + std::to_string(points[2 * key + 1]) +
                            "; allowed is what single precision holds: use fewer frames per second or a "
                            "smaller scale"};
            error.field = "curves";
            return fail(std::move(error));
        }
    }
    return {};
}

/// Per channel the number of F-curves up to its end, so that an index is found by binary search.
std::vector<std::size_t> ends_of(const std::vector<rig::BoneCurves>& channels) {
    std::vector<std::size_t> ends;
    ends.reserve(channels.size());
    for (const rig::BoneCurves& channel : channels) {
        ends.push_back((ends.empty() ? 0 : ends.back()) + channel.points.size());
    }
    return ends;
}

}  // namespace

Result<void> give_curves(rig::CurvesFromClip made, std::string report, ab_curves** out) {
    for (const rig::BoneCurves& curves : made.curves) {
        TRY_VOID(require_finite(curves.points));
        TRY_VOID(require_finite(curves.handles_left));
        TRY_VOID(require_finite(curves.handles_right));
    }
    std::vector<std::size_t> ends = ends_of(made.curves);
    *out =
        std::make_unique<ab_curves>(ab_curves{std::move(made), std::move(report), std::move(ends)}).release();
    return {};
}

}  // namespace animbridge::api
