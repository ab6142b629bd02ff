// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "base/bytes.h"
#include "formats/mrtk/document.h"

/// Internal parts of `read`: walking through a file by one of its possible layouts.
namespace animbridge::mrtk {

/// A file by one layout, all but its keys.
struct Walk {
    Document document{};  ///< without keys and trailing bytes
    std::size_t end = 0;  ///< where the last field of the layout ends
};

/// Walks from curve to curve and through the markers, with `start`'s version and sections (nothing else of it
/// counts). Time in proportion to the curves and markers: keys are skipped. ErrorCode::truncated and
/// ErrorCode::bad_value name the curve and the byte.
[[nodiscard]] Result<Walk> walk(ByteView bytes, const Document& start, Layout layout);

/// Whether every wrap mode is one of Unity's and no curve's times decrease: what a layout that was only
/// guessed must show. Time in proportion to the keys.
[[nodiscard]] bool is_plausible(ByteView bytes, const Document& walked);

/// The walk's document with its keys and trailing bytes.
[[nodiscard]] Document filled(ByteView bytes, Walk walked);

/// The number of curves in a pose if the file comes from one of the forks of MRTK that store more than
/// seven, else none.
[[nodiscard]] std::optional<std::size_t> fork_pose_curves(ByteView bytes, const Document& start);

}  // namespace animbridge::mrtk
