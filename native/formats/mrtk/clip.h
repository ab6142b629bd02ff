// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/mrtk/assemble.h"
#include "formats/mrtk/document.h"
#include "formats/mrtk/hands.h"
#include "formats/mrtk/player.h"
#include "model/clip.h"

/// A recording as a clip and back, key for key.
namespace animbridge::mrtk {

/// What becomes of a quaternion that changes its sign from key to key.
enum class Signs : std::uint8_t {
    continuous,   ///< it is negated, so that the joint rotates as it was recorded
    as_recorded,  ///< it stays, and the joint tumbles, as MRTK plays it
};

/// Each curve as a track of its own with its keys, tangents and weights, on the nodes of exact_rig(). Wrap
/// modes that repeat have no place in a clip. The document is playable.
[[nodiscard]] Clip to_clip(const Document& document, const Player& player, const HandRig& rig, Signs signs);

/// The tracks of the gaze's origin (gaze_pose) or direction (gaze_direction_pose), key for key.
void add_gaze_tracks(const Player& player, std::size_t pose, std::size_t node, Clip& clip);

struct FromClip {
    NewRecording recording{};             ///< the curves of the clip's nodes, and its markers
    std::vector<std::string> left_out{};  ///< nodes that are none of a recording's
};

/// Nodes are poses by their names (pose_name()), and properties are switches by theirs. A node without a
/// parent keeps its tracks' keys as they are; the world pose of any other gets linear keys wherever its chain
/// has one. Times become single precision.
[[nodiscard]] FromClip from_clip(const Clip& clip);

}  // namespace animbridge::mrtk
