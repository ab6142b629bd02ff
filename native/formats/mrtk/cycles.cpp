// SPDX-License-Identifier: MIT
#include "formats/mrtk/cycles.h"

namespace animbridge::mrtk {

namespace {

/// A wrap mode that does not repeat; the present one if it does not.
std::int32_t held_wrap(std::int32_t present) { return repeats(present) ? clamp_forever : present; }

}  // namespace

bool is_repeating(const CurveView& curve) {
    return curve.size() > 1 && curve.time(curve.size() - 1) > curve.time(0) &&
           (repeats(curve.pre_wrap()) || repeats(curve.post_wrap()));
}

std::size_t repeating_curves(const Document& document) {
    std::size_t count = 0;
    for (std::size_t curve = 0; curve < curve_count; ++curve) {
        count += is_repeating(CurveView(document, curve)) ? 1 : 0;
    }
    return count;
}

Document held(Document document) {
    for (Curve& curve : document.curves) {
        curve.pre_wrap = held_wrap(curve.pre_wrap);
        curve.post_wrap = held_wrap(curve.post_wrap);
    }
    return document;
}

void hold(LooseCurve& curve) {
    curve.pre_wrap = held_wrap(curve.pre_wrap);
    curve.post_wrap = held_wrap(curve.post_wrap);
}

}  // namespace animbridge::mrtk
