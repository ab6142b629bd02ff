// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "model/clip.h"

namespace animbridge::bvh {

/// Larger numbers (in metres or seconds) are refused: they are surely mistakes, and would overflow.
inline constexpr double largest_number = 1e30;

/// The animation in clip space. Nodes are the joints, at rest at their offsets, without rotation. A joint
/// with rotation channels gets a rotation track with continuous signs; one with position channels gets a
/// translation track. Keys are at the frames; scale channels are left out. ErrorCode::bad_value: a position
/// or time beyond largest_number.
[[nodiscard]] Result<Clip> to_clip(const Document& document, const Placement& placement);

/// The same with `frame_seconds` between frames instead of the file's frame time, for files without one.
[[nodiscard]] Result<Clip> to_clip(const Document& document, const Placement& placement,
                                   double frame_seconds);

/// How a clip becomes a file.
struct FromClip {
    Placement placement{};  ///< as in to_clip: from the file to the clip
    double frame_time_seconds = 1.0 / 30.0;
    std::size_t frame_count = 0;
    std::vector<std::vector<ChannelKind>> channels{};  ///< per node; at most one rotation about each axis
    std::vector<std::vector<EndSite>> end_sites{};  ///< per node, in the file's axes and unit; empty for none
    std::optional<int> angle_decimals{};            ///< for rounding degrees; null: no rounding
    std::optional<int> place_decimals{};            ///< for rounding offsets and positions
};

/// The document whose frame i shows the clip at i * frame_time_seconds; before the first key and after the
/// last, values are held. Bezier keys are read as linear ones. Its joints are the clip's nodes in the same
/// order, which must be depth first. Angles are continuous. A node with fewer than three rotation channels
/// gets the nearest rotation that they can show (see can_hold); one without position channels loses its
/// translations. Scale channels are 1.
[[nodiscard]] Document from_clip(const Clip& clip, const FromClip& options);

/// Whether rotations about these axes (0, 1, 2 for the file's x, y, z; in channel order, each once) can show
/// every key of the track within 0.001 degrees.
[[nodiscard]] bool can_hold(const Track& rotation, const Axes& axes, const std::vector<std::uint8_t>& turns);

}  // namespace animbridge::bvh
