// SPDX-License-Identifier: MIT
#include <unordered_map>

#include "rig/armature.h"

namespace animbridge::rig {

BoneMap map_bones(const Skeleton& skeleton, const Armature& armature) {
    std::unordered_map<std::string_view, std::size_t> bone_named;
    for (std::size_t i = 0; i < armature.bones.size(); ++i) {
        bone_named.emplace(armature.bones[i].name, i);
    }
    BoneMap map{std::vector<std::optional<std::size_t>>(skeleton.nodes.size()),
                std::vector<std::optional<std::size_t>>(armature.bones.size())};
    const auto match = [&](std::size_t node, const std::string& name) {
        const auto found = bone_named.find(name);
        if (!map.bone_of_node[node] && found != bone_named.end() && !map.node_of_bone[found->second]) {
            map.bone_of_node[node] = found->second;
            map.node_of_bone[found->second] = node;
        }
    };
    // A joint's own name goes before anybody's alias.
    for (std::size_t node = 0; node < skeleton.nodes.size(); ++node) {
        match(node, skeleton.nodes[node].name);
    }
    for (std::size_t node = 0; node < skeleton.nodes.size(); ++node) {
        for (const std::string& alias : skeleton.nodes[node].aliases) {
            match(node, alias);
        }
    }
    return map;
}

Facing find_facing(const Skeleton& skeleton, const Armature& armature, const BoneMap& map) {
    std::vector<glm::dvec3> world(skeleton.nodes.size());
    glm::dvec3 joint_centre(0);
    glm::dvec3 bone_centre(0);
    double count = 0;
    for (std::size_t node = 0; node < world.size(); ++node) {
        const Node& joint = skeleton.nodes[node];
        // Only the places matter here, and joints with children rest unturned.
        world[node] = joint.rest_local.translation + (joint.parent ? world[*joint.parent] : glm::dvec3(0));
        if (map.bone_of_node[node]) {
            joint_centre += world[node];
            bone_centre += armature.bones[*map.bone_of_node[node]].rest.translation;
            ++count;
        }
    }
    if (count < 2) {
        return Facing::x;
    }
    Facing best = Facing::x;
    double best_fit = 0;
    for (const Facing facing : {Facing::x, Facing::negative_y, Facing::negative_x, Facing::y}) {
        double fit = 0;
        for (std::size_t node = 0; node < world.size(); ++node) {
            if (map.bone_of_node[node]) {
                const glm::dvec3 place =
                    armature.bones[*map.bone_of_node[node]].rest.translation - bone_centre / count;
                fit += glm::dot(rotation_of(facing) * (world[node] - joint_centre / count), place);
            }
        }
        // A clear gain is asked for, so that rounding does not decide between facings that fit equally well.
        if (facing == Facing::x || fit > best_fit + 1e-6) {
            best = facing;
            best_fit = fit;
        }
    }
    return best;
}

}  // namespace animbridge::rig
