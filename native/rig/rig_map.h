// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "rig/armature.h"

/// What the bones of a rig are called (docs/rig-maps.md).
namespace animbridge::rig {

/// Names that are equally good: none of them stands for two joints.
struct NameTable {
    std::string from;     ///< for reports: where the names come from
    bool folded = false;  ///< looked up without namespace, prefixes and letters' case
    std::unordered_map<std::string, std::size_t> node_of;
};

/// Which names stand for which nodes of a skeleton.
struct RigMap {
    std::string name;
    std::vector<NameTable> tables;      ///< the best names first
    std::size_t own_tables = 0;         ///< so many of them hold what the map names, and joints' own names
    NameTable below_parent;             ///< good only on a bone whose parent carries the parent joint's name
    std::vector<std::string> prefixes;  ///< in small letters
};

/// The map out of its JSON. ErrorCode::bad_value tells the place: a joint that the skeleton has not, one name
/// for two joints, a wrong type, an unknown member.
[[nodiscard]] Result<RigMap> read_rig_map(std::string_view json, const Skeleton& skeleton);

/// The built-in map, which names the joints of the avatar.
[[nodiscard]] std::string_view built_in_rig_map_json();

/// Which bone shows which joint.
struct BoneMap {
    std::vector<std::optional<std::size_t>> bone_of_node;  ///< per node of the skeleton
    std::vector<std::optional<std::size_t>> node_of_bone;  ///< per bone
    std::vector<std::string_view> by;  ///< per bone with a node: the table's `from`, in the rig map
};

/// Every bone means the joint of the best table that has its name; of the bones that mean one joint the one
/// of the best table shows it. ErrorCode::bad_value lists the candidates where several are equally good.
/// `map` must outlive the result.
[[nodiscard]] Result<BoneMap> map_bones(const Skeleton& skeleton, const Armature& armature,
                                        const RigMap& map);

/// The same, but bones and joints that are not clear are left out.
[[nodiscard]] BoneMap map_clear_bones(const Skeleton& skeleton, const Armature& armature, const RigMap& map);

/// The name without what stands before its last colon, without one of the prefixes, in small letters.
[[nodiscard]] std::string folded_name(std::string_view name, const std::vector<std::string>& prefixes);

}  // namespace animbridge::rig
