// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "formats/mrtk/hands.h"
#include "rig/curves.h"

/// Which bones are poses of a recording: those with their names (pose_name(), "Gaze", "GazeDirection").
namespace animbridge::mrtk {

/// Bones that have the names of the skeleton's nodes.
[[nodiscard]] rig::BoneMap bones_by_name(const Skeleton& skeleton, const rig::Armature& armature);

/// A node for each bone that has the name of a pose, where it rests in the armature, without parents except
/// for the gaze's direction. `exported`: per bone, 0 leaves it out; empty: all are in. A gaze's origin and
/// direction are only in together.
[[nodiscard]] HandRig rig_of_bones(const rig::Armature& armature,
                                   std::span<const std::uint8_t> exported = {});

}  // namespace animbridge::mrtk
