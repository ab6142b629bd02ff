// SPDX-License-Identifier: MIT
#include "formats/mrtk/poses.h"

#include <algorithm>

namespace animbridge::mrtk {

RotationViews rotation_of(const Document& document, std::size_t pose) {
    const std::size_t first = first_rotation_of(pose);
    return {CurveView(document, first), CurveView(document, first + 1), CurveView(document, first + 2),
            CurveView(document, first + 3)};
}

bool has_keys(const Document& document, std::size_t pose) {
    const auto first = document.curves.begin() + static_cast<std::ptrdiff_t>(first_curve_of(pose));
    return std::any_of(first, first + pose_curves, [](const Curve& curve) { return curve.count > 0; });
}

bool has_gaze_keys(const Document& document) {
    const auto first = document.curves.begin() + static_cast<std::ptrdiff_t>(first_gaze_curve);
    return std::any_of(first, document.curves.end(), [](const Curve& curve) { return curve.count > 0; });
}

bool has_hand(const Document& document, std::size_t hand) {
    for (std::size_t joint = 0; joint < joint_count; ++joint) {
        if (has_keys(document, pose_of(hand, joint))) {
            return true;
        }
    }
    return false;
}

bool same_times(const CurveView& a, const CurveView& b) {
    if (a.size() != b.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a.time(i) != b.time(i)) {
            return false;
        }
    }
    return true;
}

bool share_times(const RotationViews& rotation) {
    return std::all_of(rotation.begin() + 1, rotation.end(),
                       [&](const CurveView& view) { return same_times(rotation[0], view); });
}

bool has_lost_w(const Document& document, std::size_t pose) {
    const auto [x, y, z, w] = rotation_of(document, pose);
    if (!document.has_sections() || w.empty() || w.size() > 2 || x.size() <= w.size() || !same_times(x, y) ||
        !same_times(x, z)) {
        return false;
    }
    return w.size() == 1 || w.full_key(1).value == z.full_key(z.size() - 1).value;
}

}  // namespace animbridge::mrtk
