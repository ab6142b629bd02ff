// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "formats/mrtk/document.h"
#include "formats/mrtk/loose_curves.h"
#include "rig/armature.h"

/// Curves that repeat before or after their keys, in scenes: each curve of a recording is an F-curve there,
/// and a whole F-curve can repeat too (Blender's modifier Cycles).
namespace animbridge::mrtk {

enum class Cycle : std::uint8_t { none, repeat, mirror };

struct CurveCycles {
    std::size_t curve = 0;
    Cycle before = Cycle::none;
    Cycle after = Cycle::none;
};

[[nodiscard]] constexpr bool repeats(std::int32_t wrap) { return wrap == loop || wrap == ping_pong; }

/// Whether the curve shows other values before or after its keys than its first and last.
[[nodiscard]] bool is_repeating(const CurveView& curve);
/// The number of such curves.
[[nodiscard]] std::size_t repeating_curves(const Document& document);
/// Curves that hold their first and last value, as a clip's do.
[[nodiscard]] Document held(Document document);
void hold(LooseCurve& curve);

/// [{"curve": "L_Wrist.location.2", "pinch_left" or the like, "before", "after": "none", "repeat" or
/// "mirror"}] of the repeating curves whose F-curve on the armature has the same keys: bones that rest along
/// the axes of the world.
[[nodiscard]] Json cycles_json(const Document& document, const rig::Armature& armature);

/// What three lists of an export's options say. ErrorCode::bad_value: they differ in length, or a word is
/// unknown.
[[nodiscard]] Result<std::vector<CurveCycles>> cycles_from(std::span<const std::string> names,
                                                           std::span<const std::string> before,
                                                           std::span<const std::string> after);

/// Makes the curves that the armature shows repeat as given, and no others. A curve that repeats as given
/// keeps its wrap modes.
void put_cycles(std::span<const CurveCycles> cycles, const rig::Armature& armature, LooseCurves& curves);

}  // namespace animbridge::mrtk
