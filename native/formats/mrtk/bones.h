// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "formats/mrtk/hands.h"
#include "rig/curves.h"

/// Finds the bones that are poses of a recording, by their names (pose_name(), "Gaze", "GazeDirection").
namespace animbridge::mrtk {

/// Pairs bones with the skeleton's nodes of the same names.
[[nodiscard]] rig::BoneMap bones_by_name(const Skeleton& skeleton, const rig::Armature& armature);

/// A node for each bone that has the name of a pose, at its rest position in the armature, without parents
/// except for the gaze's direction. `exported`: per bone, 0 leaves it out; empty: all are in. A gaze's origin
/// and direction are only in together.
[[nodiscard]] HandRig rig_of_bones(const rig::Armature& armature,
                                   std::span<const std::uint8_t> exported = {});

}  // namespace animbridge::mrtk
