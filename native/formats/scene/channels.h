// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "formats/scene/document.h"
#include "model/clip/clip.h"

/// Converts a clip's tracks to a scene's channels, on the node after the track's: the first node carries all.
namespace animbridge::scene {

/// A track that only jumps and plays as a whole, as a channel of steps; nullopt for any other track.
[[nodiscard]] std::optional<Channel> step_channel(const Track& track, double end_seconds);

/// A track of Bezier keys with handles at a third of the segment that plays as a whole, as a cubic spline;
/// nullopt for any other track.
[[nodiscard]] std::optional<Channel> spline_channel(const Track& track, double end_seconds);

/// The played part of the track as straight keys, within 0.005 degrees; steps are short slopes. Its curves
/// must already be lines: with_close_lines.
[[nodiscard]] Channel line_channel(const Track& track, double frames_per_second, double end_seconds);

/// Replaces smooth curves by lines within 0.005 degrees and 0.02 mm, because errors along a limb add up.
[[nodiscard]] Clip with_close_lines(const Clip& clip, double frames_per_second);

/// A channel of any kind as straight keys.
[[nodiscard]] Channel with_lines(const Channel& channel, double frames_per_second);

}  // namespace animbridge::scene
