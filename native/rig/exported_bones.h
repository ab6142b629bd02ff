// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "model/clip.h"
#include "rig/channel_values.h"

namespace animbridge::rig {

/// Bones that become the nodes of a skeleton, depth first. Bones between them are passed over: what they do
/// is in the motion of the one below.
struct ExportedBones {
    std::vector<std::size_t> bones;
    std::vector<std::optional<std::size_t>> parents;  ///< per node: a node before it
};

/// `wanted`: per bone. `rank`: per bone; of the bones below one parent those of the lower rank come first.
[[nodiscard]] ExportedBones exported_bones(const Armature& armature, const std::vector<bool>& wanted,
                                           const std::vector<std::size_t>& rank);

/// Nodes as the bones lie, resting unturned along the armature's axes, under the bones' names.
[[nodiscard]] Skeleton skeleton_of(const ExportedBones& exported, const Armature& armature);

/// The bones' motion, a key at each of the times, in that skeleton; tracks for what is not at rest.
[[nodiscard]] Clip clip_of_motions(const ExportedBones& exported, const Armature& armature,
                                   const std::vector<BoneMotion>& motions, const std::vector<double>& times);

}  // namespace animbridge::rig
