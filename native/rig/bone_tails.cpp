// SPDX-License-Identifier: MIT
#include "rig/bone_tails.h"

#include <algorithm>
#include <glm/geometric.hpp>

namespace animbridge::rig {

namespace {

/// The diagonal of the box around the origin, all heads and their targets.
double size_of(std::span<const BoneEnds> joints) {
    glm::dvec3 low(0);
    glm::dvec3 high(0);
    for (const BoneEnds& joint : joints) {
        low = glm::min(low, glm::min(joint.head, joint.target()));
        high = glm::max(high, glm::max(joint.head, joint.target()));
    }
    return glm::length(high - low);
}

}  // namespace

std::vector<glm::dvec3> bone_tails(std::span<const BoneEnds> joints, double size_without_any) {
    const double size = size_of(joints);
    const double shortest = size > 0.0 ? size * 1e-3 : size_without_any;
    std::vector<glm::dvec3> tails;
    tails.reserve(joints.size());
    for (const BoneEnds& joint : joints) {
        glm::dvec3 tail = joint.target();
        if (!(glm::length(tail - joint.head) >= shortest)) {
            const glm::dvec3 along =
                joint.parent ? tails[*joint.parent] - joints[*joint.parent].head : glm::dvec3(0);
            const double length = glm::length(along);
            // Without a parent to follow, the bone points up. A tenth of the total size is large enough to
            // see.
            const glm::dvec3 direction = length > 0.0 ? along / length : glm::dvec3(0, 0, 1);
            tail = joint.head + direction * std::max(shortest, std::min(length, 100.0 * shortest));
        }
        tails.push_back(tail);
    }
    return tails;
}

}  // namespace animbridge::rig
