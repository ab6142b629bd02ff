// SPDX-License-Identifier: MIT
#include "formats/bvh/turn.h"

#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

namespace animbridge::bvh {

namespace {

/// Rest positions of a matched joint and its bone.
struct Pair {
    glm::dvec3 joint;
    glm::dvec3 bone;
};

std::vector<Pair> pairs_of(const rig::Armature& armature, const Document& document, const Axes& axes,
                           const rig::JointMatch& match) {
    std::vector<glm::dvec3> positions;
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        const Joint& joint = document.joints[i];
        const glm::dvec3 offset = axes.place({joint.offset[0], joint.offset[1], joint.offset[2]});
        positions.push_back(joint.parent ? positions[*joint.parent] + offset : offset);
        if (const auto bone = match.bone_of_joint[i]) {
            const glm::dvec3& head = armature.bones[*bone].rest.translation;
            pairs.push_back({positions[i], head});
        }
    }
    return pairs;
}

/// Moves joints and bones so that each set has its centroid at the origin.
void center(std::vector<Pair>& pairs) {
    Pair middle{{0, 0, 0}, {0, 0, 0}};
    for (const Pair& pair : pairs) {
        middle.joint += pair.joint / static_cast<double>(pairs.size());
        middle.bone += pair.bone / static_cast<double>(pairs.size());
    }
    for (Pair& pair : pairs) {
        pair.joint -= middle.joint;
        pair.bone -= middle.bone;
    }
}

}  // namespace

Axes rotated_like(const rig::Armature& armature, const Document& document, const Axes& axes,
                  const rig::JointMatch& match) {
    std::vector<Pair> pairs = pairs_of(armature, document, axes, match);
    center(pairs);
    double along = 0;
    double across = 0;
    double joint_size = 0;
    double bone_size = 0;
    for (const auto& [joint, bone] : pairs) {
        joint_size += glm::dot(joint, joint);
        bone_size += glm::dot(bone, bone);
        along += joint.x * bone.x + joint.y * bone.y;
        across += joint.x * bone.y - joint.y * bone.x;
    }
    // If all positions lie on one vertical line (within rounding), there is no facing to compare.
    if (!(std::hypot(along, across) >= 1e-3 * std::sqrt(joint_size * bone_size))) {
        return axes;
    }
    // The match for a rotation by 0, 1, 2 and 3 quarters.
    const std::array<double, 4> likeness = {along, across, -along, -across};
    // Small differences between rest poses are not a rotation.
    const double clear = 0.1 * (std::abs(along) + std::abs(across));
    std::size_t best = 0;
    for (std::size_t quarters = 1; quarters < likeness.size(); ++quarters) {
        if (likeness.at(quarters) > likeness.at(best) + (best == 0 ? clear : 0.0)) {
            best = quarters;
        }
    }
    return axes.rotated(best);
}

}  // namespace animbridge::bvh
