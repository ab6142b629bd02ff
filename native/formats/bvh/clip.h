// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "model/clip.h"

namespace animbridge::bvh {

/// Numbers beyond this, in metres or seconds, are no animation and would overflow.
inline constexpr double largest_number = 1e30;

/// The animation: nodes as the joints are, resting unturned at their offsets; a rotation track for each joint
/// with rotation channels, signs continuous, and a translation track for each with position channels, keys at
/// the frames. Scales are left out. ErrorCode::bad_value: a place or time beyond largest_number.
[[nodiscard]] Result<Clip> to_clip(const Document& document, const Placement& placement);

/// The same with other seconds between frames than the file's, such as for one that has none.
[[nodiscard]] Result<Clip> to_clip(const Document& document, const Placement& placement,
                                   double frame_seconds);

/// The clip to pose: along the file's axes, a second a frame where the file has no time between its frames.
[[nodiscard]] Result<Clip> clip_to_pose(const Document& document);

/// How a clip becomes a file.
struct FromClip {
    Placement placement{};  ///< as in to_clip: from the file to the clip
    double frame_time_seconds = 1.0 / 30.0;
    std::size_t frame_count = 0;
    std::vector<std::vector<ChannelKind>> channels{};  ///< per node; rotations about each axis once at most
    std::vector<std::vector<EndSite>> end_sites{};     ///< per node, in the file's axes and unit; empty: none
    std::optional<int> angle_decimals{};               ///< rounds degrees; none: as they come
    std::optional<int> place_decimals{};               ///< rounds offsets and positions
};

/// The file whose frames show the clip at frame * frame_time_seconds, held before the first and behind the
/// last key; keys are read as steps or lines. Its joints are the clip's nodes, in their order, which must be
/// depth first. Angles are continuous. A node turns about the axes that it has channels for as near as that
/// comes (see can_hold); without position channels its translations are lost; scale channels are 1.
[[nodiscard]] Document from_clip(const Clip& clip, const FromClip& options);

/// Whether turns about these axes (0, 1, 2 for x, y, z of the file, in channel order, each once) can show
/// every rotation, within 0.001 degrees.
[[nodiscard]] bool can_hold(const Track& rotation, const Axes& axes, const std::vector<std::uint8_t>& turns);

}  // namespace animbridge::bvh
