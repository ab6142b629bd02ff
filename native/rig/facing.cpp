// SPDX-License-Identifier: MIT
#include <algorithm>

#include "rig/rig_map.h"

namespace animbridge::rig {

std::optional<Facing> find_facing(const Skeleton& skeleton, const Armature& armature, const BoneMap& map) {
    std::vector<glm::dvec3> world(skeleton.nodes.size());
    glm::dvec3 joint_centre(0);
    glm::dvec3 bone_centre(0);
    double count = 0;
    for (std::size_t node = 0; node < world.size(); ++node) {
        const Node& joint = skeleton.nodes[node];
        // Only positions matter here, and joints with children have no rest rotation.
        world[node] = joint.rest_local.translation + (joint.parent ? world[*joint.parent] : glm::dvec3(0));
        if (map.bone_of_node[node]) {
            joint_centre += world[node];
            bone_centre += armature.bones[*map.bone_of_node[node]].rest.translation;
            ++count;
        }
    }
    if (count < 2) {
        return std::nullopt;
    }
    Facing best = Facing::x;
    double best_fit = 0;
    double worst_fit = 0;
    for (const Facing facing : {Facing::x, Facing::negative_y, Facing::negative_x, Facing::y}) {
        double fit = 0;
        for (std::size_t node = 0; node < world.size(); ++node) {
            if (map.bone_of_node[node]) {
                const glm::dvec3 position =
                    armature.bones[*map.bone_of_node[node]].rest.translation - bone_centre / count;
                fit += glm::dot(rotation_of(facing) * (world[node] - joint_centre / count), position);
            }
        }
        // Require a clear gain, so that rounding does not decide between equally good facings.
        if (facing == Facing::x || fit > best_fit + 1e-6) {
            best = facing;
            best_fit = fit;
        }
        worst_fit = facing == Facing::x ? fit : std::min(worst_fit, fit);
    }
    return best_fit > worst_fit + 1e-6 ? std::optional(best) : std::nullopt;
}

}  // namespace animbridge::rig
