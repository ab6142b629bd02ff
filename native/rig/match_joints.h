// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rig/rig_map.h"

namespace animbridge::rig {

/// Which joint of some skeleton moves which bone.
struct JointMatch {
    std::vector<std::optional<std::size_t>> bone_of_joint;
    std::vector<std::optional<std::size_t>> joint_of_bone;
};

/// A joint of a file: its name, and its parent, an index before its own.
struct NamedJoint {
    std::string name;
    std::optional<std::size_t> parent{};
};

/// Joints and bones of equal names.
[[nodiscard]] JointMatch match_by_names(const std::vector<NamedJoint>& joints, const Armature& armature);

/// And of those that remain: names that are equal without letters' case, namespace and the map's prefixes,
/// then names that the map says mean the same joint of the avatar. What is ambiguous is not matched.
[[nodiscard]] JointMatch match_by_rig_map(const std::vector<NamedJoint>& joints, const Armature& armature,
                                          const Skeleton& avatar, const RigMap& map);

}  // namespace animbridge::rig
