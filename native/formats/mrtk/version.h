// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/json.h"
#include "formats/mrtk/loose_curves.h"

/// Converts one version of the format to the other.
namespace animbridge::mrtk {

/// Segments that tangents cannot express become lines of at most this length: vertical handles, arcs.
inline constexpr double longest_line_seconds = 1.0 / 120.0;
/// In segments longer than this many lines, the lines are longer, so that keys do not outgrow a file whose
/// times are far apart.
inline constexpr int most_lines = 1200;

/// The number of lines of longest_line_seconds for a segment of this length.
[[nodiscard]] int lines_of(double seconds);

/// What the other version cannot hold, and what replaces it.
struct VersionChange {
    std::int32_t from = 0;
    std::int32_t to = 0;
    Layout from_layout = Layout::specified;
    std::size_t curved_segments = 0;  ///< those that became straight lines
    std::size_t line_keys = 0;        ///< keys that were inserted, so that the lines follow the curves
    std::size_t steps = 0;            ///< those that a key just before the jump keeps
    std::size_t gaze_keys = 0;        ///< those that were left out
    std::size_t empty_sections = 0;   ///< those that the file omitted and now has without keys
};
[[nodiscard]] Json version_json(const VersionChange& change);

/// Makes `like` a document of the minor version and the specified layout, and fits the curves to it. 1.1 has
/// only straight lines, so curved segments become lines that are close to them; 1.0 has no gaze, and all
/// other sections.
[[nodiscard]] VersionChange change_version(Document& like, LooseCurves& curves, std::int32_t minor);

/// Whether every segment of the curves is a straight line.
[[nodiscard]] bool is_all_lines(const LooseCurves& curves);

}  // namespace animbridge::mrtk
