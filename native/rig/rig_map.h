// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/base.h"
#include "rig/armature.h"

/// Names of bones in rigs (docs/rig-maps.md).
namespace animbridge::rig {

/// Names of equal rank, each for one joint.
struct NameTable {
    std::string from;     ///< the source of the names, for reports
    bool folded = false;  ///< matched without namespace, prefixes and case
    std::unordered_map<std::string, std::size_t> node_of;
    /// The table applies only to armatures with a bone of one of these names, folded. Empty: to all.
    std::vector<std::string> only_with{};
};

/// Assigns names to the nodes of a skeleton.
struct RigMap {
    std::string name;
    std::vector<NameTable> tables;      ///< best first
    std::size_t own_tables = 0;         ///< how many come first: names in the map, and joints' own names
    NameTable below_parent;             ///< for bones whose parent has the parent joint's name
    std::vector<std::string> prefixes;  ///< in lower case
};

/// Reads a map from JSON. ErrorCode::bad_value with the member: a joint that the skeleton lacks, one name for
/// two joints, a wrong type, or an unknown member.
[[nodiscard]] Result<RigMap> read_rig_map(std::string_view json, const Skeleton& skeleton);

/// The built-in map for the joints of the avatar.
[[nodiscard]] std::string_view built_in_rig_map_json();

/// The pairs of bones and joints.
struct BoneMap {
    std::vector<std::optional<std::size_t>> bone_of_node;  ///< per node of the skeleton
    std::vector<std::optional<std::size_t>> node_of_bone;  ///< per bone
    std::vector<std::string_view> by;  ///< per bone with a node: the table's `from`, in the rig map
};

/// Assigns bones to joints. A bone belongs to the joint of the best table that has its name. If several bones
/// belong to a joint, the bone of the best table is used; if several are equally good, ErrorCode::bad_value
/// lists them. `map` must outlive the result.
[[nodiscard]] Result<BoneMap> map_bones(const Skeleton& skeleton, const Armature& armature,
                                        const RigMap& map);

/// Like map_bones, but leaves out joints with several equally good bones.
[[nodiscard]] BoneMap map_clear_bones(const Skeleton& skeleton, const Armature& armature, const RigMap& map);

/// The name in lower case, without the namespace up to its last colon and without one of the prefixes.
[[nodiscard]] std::string folded_name(std::string_view name, const std::vector<std::string>& prefixes);

}  // namespace animbridge::rig
