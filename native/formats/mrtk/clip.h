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

/// Converts a recording to a clip and back, key for key.
namespace animbridge::mrtk {

/// What to do with a quaternion that changes its sign from key to key.
enum class Signs : std::uint8_t {
    continuous,   ///< negate it, so that the joint rotates as it was recorded
    as_recorded,  ///< keep it; the joint tumbles, as in MRTK
};

/// Each curve as a track with its keys, tangents and weights, on the nodes of exact_rig(). A clip cannot hold
/// wrap modes that repeat. The document must be playable.
[[nodiscard]] Clip to_clip(const Document& document, const Player& player, const HandRig& rig, Signs signs);

/// Adds the tracks of the gaze's origin (gaze_pose) or direction (gaze_direction_pose), key for key.
void add_gaze_tracks(const Player& player, std::size_t pose, std::size_t node, Clip& clip);

struct FromClip {
    NewRecording recording{};             ///< the curves of the clip's nodes, and its markers
    std::vector<std::string> left_out{};  ///< nodes that a recording does not have
};

/// Nodes are poses by their names (pose_name()), and properties are switches by theirs. A node without a
/// parent keeps its tracks' keys unchanged; the world pose of any other gets linear keys wherever its chain
/// has one. Times become single precision.
[[nodiscard]] FromClip from_clip(const Clip& clip);

}  // namespace animbridge::mrtk
