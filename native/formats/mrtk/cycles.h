// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "formats/mrtk/document.h"
#include "formats/mrtk/loose_curves.h"

/// Curves that repeat before or after their keys. MRTK itself never writes any.
namespace animbridge::mrtk {

[[nodiscard]] constexpr bool repeats(std::int32_t wrap) { return wrap == loop || wrap == ping_pong; }

/// Whether the curve shows other values before or after its keys than its first and last.
[[nodiscard]] bool is_repeating(const CurveView& curve);
/// The number of such curves.
[[nodiscard]] std::size_t repeating_curves(const Document& document);
/// The document with curves that hold their first and last value, as in a clip or a scene.
[[nodiscard]] Document held(Document document);
void hold(LooseCurve& curve);

}  // namespace animbridge::mrtk
