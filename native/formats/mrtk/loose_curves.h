// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "formats/mrtk/document.h"
#include "formats/mrtk/unity_curve.h"

/// A document's curves as separate lists, to change keys.
namespace animbridge::mrtk {

/// Keys of version 1.1 and of switches have the tangents and weights that MRTK gives them.
struct LooseCurve {
    std::int32_t pre_wrap = clamp_forever;
    std::int32_t post_wrap = clamp_forever;
    std::vector<FullKey> keys{};

    [[nodiscard]] CurveView view(bool is_switch = false) const {
        return {keys, Curve{0, 0, pre_wrap, post_wrap}, is_switch};
    }
};
/// There are curve_count of them.
using LooseCurves = std::vector<LooseCurve>;

/// The document without its curves.
[[nodiscard]] Document head_of(const Document& document);

[[nodiscard]] LooseCurves taken_apart(const Document& document);
/// The document `like` with other curves. Its version and sections define which curves, and which members of
/// the keys, it stores; the others are left out.
[[nodiscard]] Document put_together(const Document& like, const LooseCurves& curves);

/// Cut off what is before or after a time. Where a curve crosses it, a key there keeps the curve's shape:
/// exact on lines and steps, and on curved segments by de Casteljau's division, up to rounding to floats. So
/// a rotation's key inside a turn has the length that MRTK plays there, which is less than 1 on lines. Keys
/// must be in order of time. Both return the number of inserted keys.
std::size_t cut_before(LooseCurve& curve, double seconds, bool is_switch);
std::size_t cut_after(LooseCurve& curve, double seconds, bool is_switch);

/// Changes every time to (time + shift) / speed, and slopes to match.
void retime(LooseCurve& curve, double shift, double speed);
[[nodiscard]] RawFloat retimed(RawFloat time, double shift, double speed);

/// Sorts the keys by time, like Unity.
void sort_keys(LooseCurve& curve);

}  // namespace animbridge::mrtk
