// SPDX-License-Identifier: MIT
#include "rig/armature/armature.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace animbridge::rig::armature {

namespace {

#include "rig_map_data.inc"

/// The joint that a bone's name means, and the rank of the name: 0 is best.
struct Meaning {
    std::size_t node = 0;
    std::size_t rank = 0;
};

std::optional<Meaning> meaning_of(const std::string& bone, const RigMap& map,
                                  const std::vector<bool>& counts) {
    const std::string folded = folded_name(bone, map.prefixes);
    for (std::size_t rank = 0; rank < map.tables.size(); ++rank) {
        if (!counts[rank]) {
            continue;
        }
        const NameTable& table = map.tables[rank];
        const auto found = table.node_of.find(table.folded ? folded : bone);
        if (found != table.node_of.end()) {
            return Meaning{found->second, rank};
        }
    }
    return std::nullopt;
}

/// Whether each table applies: the armature has the bones without which its names may mean something else.
std::vector<bool> counting_tables(const Armature& armature, const RigMap& map) {
    std::unordered_set<std::string> names;
    for (const Bone& bone : armature.bones) {
        names.insert(folded_name(bone.name, map.prefixes));
    }
    std::vector<bool> counts;
    for (const NameTable& table : map.tables) {
        counts.push_back(table.only_with.empty() ||
                         std::ranges::any_of(table.only_with,
                                             [&](const std::string& name) { return names.contains(name); }));
    }
    return counts;
}

/// The joint that the name means below this bone's parent.
std::optional<std::size_t> meaning_below(const Bone& bone, const Skeleton& skeleton, const RigMap& map,
                                         const std::vector<std::optional<Meaning>>& meanings) {
    const auto found = map.below_parent.node_of.find(bone.name);
    if (found == map.below_parent.node_of.end() || !bone.parent) {
        return std::nullopt;
    }
    const auto& parent = meanings[*bone.parent];
    const auto wanted = skeleton.nodes[found->second].parent;
    const bool carries_own_name = parent && parent->rank < map.own_tables;
    return carries_own_name && wanted == parent->node ? std::optional(found->second) : std::nullopt;
}

std::string some_bones(const std::vector<std::size_t>& bones, const Armature& armature) {
    std::vector<std::string> names;
    names.reserve(bones.size());
    std::ranges::transform(bones, std::back_inserter(names),
                           [&](std::size_t bone) { return "'" + armature.bones[bone].name + "'"; });
    return some_of(names);
}

/// A joint with several equally good bones.
struct Tie {
    std::size_t node = 0;
    std::vector<std::size_t> bones;
};

Error ambiguous(const std::vector<Tie>& ties, const Skeleton& skeleton, const Armature& armature) {
    Error error{ErrorCode::bad_value, ""};
    constexpr std::size_t most = 3;
    for (std::size_t i = 0; i < std::min(most, ties.size()); ++i) {
        error.reason += (i == 0 ? "joint " : "; joint ") + skeleton.nodes[ties[i].node].name + " may be " +
                        some_bones(ties[i].bones, armature);
    }
    if (ties.size() > most) {
        error.reason += "; and " + std::to_string(ties.size() - most) + " more joints";
    }
    error.reason += ". Choose the bone in a rig map, or rename the others.";
    error.field = "armature";
    return error;
}

/// For each node, the bones that mean it with the best rank.
std::vector<std::vector<std::size_t>> best_bones(const std::vector<std::optional<Meaning>>& meanings,
                                                 std::size_t node_count) {
    std::vector<std::vector<std::size_t>> best(node_count);
    for (std::size_t bone = 0; bone < meanings.size(); ++bone) {
        if (!meanings[bone]) {
            continue;
        }
        std::vector<std::size_t>& bones = best[meanings[bone]->node];
        const std::size_t rank = meanings[bone]->rank;
        if (!bones.empty() && rank < meanings[bones.front()]->rank) {
            bones.clear();
        }
        if (bones.empty() || rank == meanings[bones.front()]->rank) {
            bones.push_back(bone);
        }
    }
    return best;
}

}  // namespace

std::string folded_name(std::string_view name, const std::vector<std::string>& prefixes) {
    if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos) {
        name.remove_prefix(colon + 1);
    }
    std::string folded = in_lower_case(std::string(name));
    for (const std::string& prefix : prefixes) {
        if (folded.size() > prefix.size() && folded.starts_with(prefix)) {
            return folded.substr(prefix.size());
        }
    }
    return folded;
}

std::string_view built_in_rig_map_json() { return built_in_json; }

namespace {

/// Pairs bones and joints, and collects the joints with several equally good bones.
BoneMap pair_bones(const Skeleton& skeleton, const Armature& armature, const RigMap& map,
                   std::vector<Tie>& ties) {
    const std::size_t bone_count = armature.bones.size();
    std::vector<std::optional<Meaning>> meanings(bone_count);
    const std::vector<bool> counts = counting_tables(armature, map);
    for (std::size_t bone = 0; bone < bone_count; ++bone) {
        meanings[bone] = meaning_of(armature.bones[bone].name, map, counts);
    }
    std::vector<std::optional<std::size_t>> below(bone_count);
    for (std::size_t bone = 0; bone < bone_count; ++bone) {
        below[bone] = meaning_below(armature.bones[bone], skeleton, map, meanings);
    }
    for (std::size_t bone = 0; bone < bone_count; ++bone) {
        if (below[bone]) {
            meanings[bone] = Meaning{*below[bone], map.tables.size()};
        }
    }
    BoneMap result{std::vector<std::optional<std::size_t>>(skeleton.nodes.size()),
                   std::vector<std::optional<std::size_t>>(bone_count),
                   std::vector<std::string_view>(bone_count)};
    const auto best = best_bones(meanings, skeleton.nodes.size());
    for (std::size_t node = 0; node < best.size(); ++node) {
        if (best[node].size() > 1) {
            ties.push_back({node, best[node]});
        } else if (!best[node].empty()) {
            const std::size_t bone = best[node].front();
            const std::size_t rank = meanings[bone]->rank;
            result.bone_of_node[node] = bone;
            result.node_of_bone[bone] = node;
            result.by[bone] = rank < map.tables.size() ? map.tables[rank].from : map.below_parent.from;
        }
    }
    return result;
}

}  // namespace

Result<BoneMap> map_bones(const Skeleton& skeleton, const Armature& armature, const RigMap& map) {
    std::vector<Tie> ties;
    BoneMap result = pair_bones(skeleton, armature, map, ties);
    if (!ties.empty()) {
        return fail(ambiguous(ties, skeleton, armature));
    }
    return result;
}

BoneMap map_clear_bones(const Skeleton& skeleton, const Armature& armature, const RigMap& map) {
    std::vector<Tie> ties;
    return pair_bones(skeleton, armature, map, ties);
}

namespace {

constexpr std::size_t several = static_cast<std::size_t>(-1);

/// Unmatched joints or bones by name. A name that occurs twice matches nothing.
class ByName {
public:
    void add(const std::string& name, std::size_t index) {
        if (const auto [place, is_new] = index_of_.try_emplace(name, index); !is_new) {
            place->second = several;
        }
    }
    [[nodiscard]] std::optional<std::size_t> find(const std::string& name) const {
        const auto found = index_of_.find(name);
        return found == index_of_.end() || found->second == several ? std::nullopt
                                                                    : std::optional(found->second);
    }
    [[nodiscard]] const std::unordered_map<std::string, std::size_t>& all() const { return index_of_; }

private:
    std::unordered_map<std::string, std::size_t> index_of_;
};

void match(JointMatch& matched, std::size_t joint, std::size_t bone) {
    matched.bone_of_joint[joint] = bone;
    matched.joint_of_bone[bone] = joint;
}

template <typename Fold>
void match_equal(const std::vector<NamedJoint>& joints, const Armature& armature, JointMatch& matched,
                 Fold&& fold) {
    ByName names;
    for (std::size_t joint = 0; joint < joints.size(); ++joint) {
        if (!matched.bone_of_joint[joint]) {
            names.add(fold(joints[joint].name), joint);
        }
    }
    ByName bones;
    for (std::size_t bone = 0; bone < armature.bones.size(); ++bone) {
        if (!matched.joint_of_bone[bone]) {
            bones.add(fold(armature.bones[bone].name), bone);
        }
    }
    for (const auto& [name, joint] : names.all()) {
        if (const auto bone = bones.find(name); bone && joint != several) {
            match(matched, joint, *bone);
        }
    }
}

}  // namespace

JointMatch match_by_names(const std::vector<NamedJoint>& joints, const Armature& armature) {
    JointMatch matched{std::vector<std::optional<std::size_t>>(joints.size()),
                       std::vector<std::optional<std::size_t>>(armature.bones.size())};
    match_equal(joints, armature, matched, [](const std::string& name) { return name; });
    return matched;
}

JointMatch match_by_rig_map(const std::vector<NamedJoint>& joints, const Armature& armature,
                            const Skeleton& avatar, const RigMap& map) {
    JointMatch matched = match_by_names(joints, armature);
    match_equal(joints, armature, matched,
                [&](const std::string& name) { return folded_name(name, map.prefixes); });
    // Look the file's joints up in the map as if they were a rig.
    Armature file;
    for (const NamedJoint& joint : joints) {
        Bone& bone = file.bones.emplace_back();
        bone.name = joint.name;
        bone.parent = joint.parent;
    }
    const BoneMap joint_meanings = map_clear_bones(avatar, file, map);
    const BoneMap bone_meanings = map_clear_bones(avatar, armature, map);
    for (std::size_t node = 0; node < avatar.nodes.size(); ++node) {
        const auto joint = joint_meanings.bone_of_node[node];
        const auto bone = bone_meanings.bone_of_node[node];
        if (joint && bone && !matched.bone_of_joint[*joint] && !matched.joint_of_bone[*bone]) {
            match(matched, *joint, *bone);
        }
    }
    return matched;
}

}  // namespace animbridge::rig::armature
