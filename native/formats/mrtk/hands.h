// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "formats/mrtk/player.h"
#include "model/skeleton.h"

/// A recording as two hands with bones that hang on each other, for rigs. A file has world poses without a
/// hierarchy.
namespace animbridge::mrtk {

/// The poses that make up a rig: the camera, the joints but None, and the gaze. Parents come first.
struct HandRig {
    Skeleton skeleton{};
    std::vector<std::size_t> pose_of_node{};  ///< gaze_pose, and the one after it, for the gaze's two nodes
    std::vector<double> length_of_node{};     ///< of the bone at rest, in metres
};
/// In place of a pose's number.
inline constexpr std::size_t gaze_pose = pose_count;
inline constexpr std::size_t gaze_direction_pose = gaze_pose + 1;

/// In metres.
inline constexpr double camera_length = 0.1;

/// How the rig's joints rest.
struct HandRest {
    bool is_flat = false;                ///< as flat_hand(), at the place of the first tracked frame
    std::optional<double> at_seconds{};  ///< none: the first time at which all of a hand's joints are tracked
};

/// The rig of the joints that the recording has; a joint hangs on the nearest joint above that it has.
[[nodiscard]] HandRig hand_rig(const Player& player, const HandRest& rest);

/// The rig of all poses that the recording has, each by itself: a bone at the origin along +Y, whose values
/// are the pose in the world. Only the gaze's direction hangs on its origin.
[[nodiscard]] HandRig exact_rig(const Player& player, const HandRest& rest);

/// The two hands without a recording, complete: flat, side by side before a person of average height at the
/// origin.
[[nodiscard]] HandRig flat_hand_rig();

}  // namespace animbridge::mrtk
