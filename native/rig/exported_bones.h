// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "model/clip/clip.h"
#include "rig/channel_values.h"

namespace animbridge::rig {

/// The bones that become nodes of a skeleton, in depth-first order. The motion of a skipped bone becomes part
/// of the motion of the exported bones below it.
struct ExportedBones {
    std::vector<std::size_t> bones;
    std::vector<std::optional<std::size_t>> parents;  ///< per node: an earlier node; nullopt: a root
};

/// `wanted`: per bone, whether to export it. `rank`: per bone; siblings are ordered by rank, lowest first.
[[nodiscard]] ExportedBones exported_bones(const Armature& armature, const std::vector<bool>& wanted,
                                           const std::vector<std::size_t>& rank);

/// Nodes at the bones' heads, named like the bones, with rest axes parallel to the armature's.
[[nodiscard]] Skeleton skeleton_of(const ExportedBones& exported, const Armature& armature);

/// The bones' motion in that skeleton, with a key at each time. Only bones that move have tracks.
[[nodiscard]] Clip clip_of_motions(const ExportedBones& exported, const Armature& armature,
                                   const std::vector<BoneMotion>& motions, const std::vector<double>& times);

}  // namespace animbridge::rig
