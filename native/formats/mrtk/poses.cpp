// SPDX-License-Identifier: MIT
#include "formats/mrtk/poses.h"

#include <algorithm>
#include <cmath>

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
        if (a.time_bits(i) != b.time_bits(i)) {
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
    if (!document.has_sections() || x.size() != y.size() || x.size() != z.size() || x.size() < 2) {
        return false;
    }
    if (w.size() != 2) {
        return w.size() == 1;
    }
    const std::size_t last = x.size() - 1;
    if (w.time_bits(0) != x.time_bits(0) || w.time_bits(1) != x.time_bits(last) ||
        w.value(1) != z.value(last)) {
        return false;
    }
    // If X has two keys as well, the last W is wrong if the resulting length is not that of a rotation.
    const double length =
        std::hypot(std::hypot(x.value(last), y.value(last)), std::hypot(z.value(last), w.value(1)));
    return x.size() > 2 || !(std::abs(length - 1.0) <= length_tolerance);
}

}  // namespace animbridge::mrtk
