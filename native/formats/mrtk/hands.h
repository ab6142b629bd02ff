// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "formats/mrtk/player.h"
#include "model/skeleton.h"

/// A recording as two hands whose bones form a hierarchy, for rigs. A file has only world poses, without a
/// hierarchy.
namespace animbridge::mrtk {

/// The poses that make up a rig: the camera, the joints except None, and the gaze. Parents come first.
struct HandRig {
    Skeleton skeleton{};
    std::vector<std::size_t> pose_of_node{};  ///< gaze_pose and gaze_direction_pose for the gaze's two nodes
    std::vector<double> length_of_node{};     ///< of the bone at rest, in metres
};
/// Used instead of a pose's index.
inline constexpr std::size_t gaze_pose = pose_count;
inline constexpr std::size_t gaze_direction_pose = gaze_pose + 1;

/// In metres.
inline constexpr double camera_length = 0.1;

/// The rest pose of the rig's joints.
struct HandRest {
    bool is_flat = false;                ///< like flat_hand(), at the position of the first tracked frame
    std::optional<double> at_seconds{};  ///< none: the first time at which all of a hand's joints are tracked
};

/// The rig of the joints that the recording has; a joint's parent is the nearest joint above that it has.
[[nodiscard]] HandRig hand_rig(const Player& player, const HandRest& rest);

/// The rig of all poses that the recording has, each separate: a bone at the origin along +Y, whose values
/// are the pose in the world. Only the gaze's direction has a parent, its origin.
[[nodiscard]] HandRig exact_rig(const Player& player, const HandRest& rest);

/// Two complete hands without a recording: flat, side by side in front of a person of average height at the
/// origin.
[[nodiscard]] HandRig flat_hand_rig();

}  // namespace animbridge::mrtk
