// SPDX-License-Identifier: MIT
#include "rig/match_joints.h"

#include <unordered_map>

namespace animbridge::rig {

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

}  // namespace animbridge::rig
