// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rig/rig_map.h"

namespace animbridge::rig {

/// The pairs of a file's joints and an armature's bones.
struct JointMatch {
    std::vector<std::optional<std::size_t>> bone_of_joint;
    std::vector<std::optional<std::size_t>> joint_of_bone;
};

/// A joint of a file. `parent` is the index of an earlier joint.
struct NamedJoint {
    std::string name;
    std::optional<std::size_t> parent{};
};

/// Pairs joints and bones with equal names.
[[nodiscard]] JointMatch match_by_names(const std::vector<NamedJoint>& joints, const Armature& armature);

/// Like match_by_names; then pairs the others by names that are equal without case, namespace and the map's
/// prefixes; then by names that the map assigns to the same joint of the avatar. Leaves out ambiguous pairs.
[[nodiscard]] JointMatch match_by_rig_map(const std::vector<NamedJoint>& joints, const Armature& armature,
                                          const Skeleton& avatar, const RigMap& map);

}  // namespace animbridge::rig
