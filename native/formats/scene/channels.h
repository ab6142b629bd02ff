// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "formats/scene/document.h"
#include "model/clip.h"

/// Tracks of a clip as channels of a scene, on the node one after the track's: the first one carries all.
namespace animbridge::scene {

/// A track that only jumps, and is played as a whole, as a channel of steps; none: it is another one.
[[nodiscard]] std::optional<Channel> step_channel(const Track& track, double end_seconds);

/// A track of Bezier keys with handles at a third of the way, played as a whole, as a cubic spline; none: it
/// is another one.
[[nodiscard]] std::optional<Channel> spline_channel(const Track& track, double end_seconds);

/// What is played of the track as straight keys, within 0.005 degrees; steps are short slopes. Its curves are
/// lines already: with_close_lines.
[[nodiscard]] Channel line_channel(const Track& track, double frames_per_second, double end_seconds);

/// Lines within 0.005 degrees and 0.02 mm of the curves, where those are smooth: joints of a limb add up.
[[nodiscard]] Clip with_close_lines(const Clip& clip, double frames_per_second);

/// A channel of any kind as straight keys.
[[nodiscard]] Channel with_lines(const Channel& channel, double frames_per_second);

}  // namespace animbridge::scene
