// SPDX-License-Identifier: MIT
#include "editing/bone_axes.h"

#include <optional>
#include <utility>

namespace animbridge::editing {

namespace {

Result<rig::humanoid::FoundRig> parts_of(const Skeleton& skeleton, const std::string& rig_file) {
    if (rig_file.empty()) {
        return rig::humanoid::find_rig(skeleton, rig::humanoid::built_in_rigs());
    }
    TRY(const auto own, rig::humanoid::read_rig_file(rig_file));
    return rig::humanoid::find_rig(skeleton, rig::humanoid::built_in_rigs(), &own);
}

class AxesMaker {
public:
    AxesMaker(const rig::armature::Armature& armature, BoneAxes& made) : armature_(armature), made_(made) {
        made_.turns.resize(armature.bones.size());
        made_.moves.resize(armature.bones.size());
    }

    /// The bone's parent must have been added.
    void add(std::size_t index) {
        const rig::armature::Bone& bone = armature_.bones[index];
        const Transform above = bone.parent ? armature_.bones[*bone.parent].rest : Transform{};
        std::optional<std::size_t> parent;
        if (bone.parent) {
            parent = made_.turns[*bone.parent];
        }
        Transform rest = inverse(above) * bone.rest;
        if (bone.local_location) {
            const std::size_t holder = node("", parent, rest);
            made_.turns[index] = made_.moves[index] = node(bone.name, holder, {});
            return;
        }
        // Its location is along its parent's axes, its rotation about its own.
        const std::size_t holder = node("", parent, {glm::dquat(1, 0, 0, 0), rest.translation});
        made_.moves[index] = node("", holder, {});
        rest.translation = glm::dvec3(0);
        made_.turns[index] = node(bone.name, node("", made_.moves[index], rest), {});
    }

private:
    std::size_t node(std::string name, std::optional<std::size_t> parent, const Transform& rest) {
        Node& added = made_.skeleton.nodes.emplace_back();
        added.name = std::move(name);
        added.parent = parent;
        added.rest_local = rest;
        return made_.skeleton.nodes.size() - 1;
    }

    const rig::armature::Armature& armature_;
    BoneAxes& made_;
};

}  // namespace

Result<BoneAxes> bone_axes(const rig::armature::Armature& armature, const std::string& rig_file) {
    BoneAxes made;
    const rig::armature::ArmatureSkeleton own = rig::armature::skeleton_of(armature);
    AxesMaker maker(armature, made);
    for (const auto& bone : own.map.bone_of_node) {
        maker.add(*bone);
    }
    TRY(made.rig, parts_of(own.skeleton, rig_file));
    for (rig::humanoid::FoundSlot& slot : made.rig.slots) {
        slot.joint = made.turns[*own.map.bone_of_node[slot.joint]];
    }
    made.flat.bones.resize(armature.bones.size());
    made.map.bone_of_node.resize(made.skeleton.nodes.size());
    made.map.node_of_bone.resize(armature.bones.size());
    made.map.by.resize(armature.bones.size());
    for (std::size_t bone = 0; bone < armature.bones.size(); ++bone) {
        made.flat.bones[bone].name = armature.bones[bone].name;
        made.flat.bones[bone].rotation_channel = armature.bones[bone].rotation_channel;
        made.map.bone_of_node[made.turns[bone]] = bone;
        made.map.node_of_bone[bone] = made.turns[bone];
    }
    return made;
}

}  // namespace animbridge::editing
