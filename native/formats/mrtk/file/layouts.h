// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "base/base.h"
#include "formats/mrtk/file/file.h"

/// How `read` walks through a file by one of its possible layouts.
namespace animbridge::mrtk::file {

/// A file read by one layout, without its keys.
struct Walk {
    Document document{};  ///< without keys and trailing bytes
    std::size_t end = 0;  ///< where the last field of the layout ends
};

/// Walks from curve to curve and through the markers, with the version and sections of `start` (its other
/// members are ignored). Takes time in proportion to the curves and markers: keys are skipped.
/// ErrorCode::truncated and ErrorCode::bad_value name the curve and the byte.
[[nodiscard]] Result<Walk> walk(ByteView bytes, const Document& start, Layout layout);

/// Whether every wrap mode is one of Unity's and no curve's times decrease: the conditions for a guessed
/// layout. Takes time in proportion to the keys.
[[nodiscard]] bool is_plausible(ByteView bytes, const Document& walked);

/// The walk's document with its keys and trailing bytes.
[[nodiscard]] Document filled(ByteView bytes, Walk walked);

/// The number of curves in a pose if the file comes from one of the forks of MRTK that store more than seven,
/// else none.
[[nodiscard]] std::optional<std::size_t> fork_pose_curves(ByteView bytes, const Document& start);

}  // namespace animbridge::mrtk::file
