// SPDX-License-Identifier: MIT
#include "rig/humanoid/rest_body.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

namespace animbridge::rig {

RestBody::RestBody(const Skeleton& skeleton)
    : heads_(skeleton.nodes.size()),
      parents_(skeleton.nodes.size()),
      children_(skeleton.nodes.size()),
      first_(skeleton.nodes.size()),
      last_(skeleton.nodes.size()),
      at_parent_(skeleton.nodes.size()) {
    place(skeleton);
    number(skeleton);
    measure();
}

void RestBody::place(const Skeleton& skeleton) {
    std::vector<Transform> world(skeleton.nodes.size());
    for (std::size_t i = 0; i < world.size(); ++i) {
        const Node& node = skeleton.nodes[i];
        world[i] = node.parent ? world[*node.parent] * node.rest_local : node.rest_local;
        heads_[i] = world[i].translation;
        parents_[i] = node.parent;
        if (node.parent) {
            children_[*node.parent].push_back(i);
        }
    }
}

void RestBody::number(const Skeleton& skeleton) {
    // Children come after their parents, so counts go up the tree in one pass from the end.
    std::vector<std::size_t> carried(heads_.size(), 1);
    for (std::size_t i = heads_.size(); i-- > 0;) {
        if (skeleton.nodes[i].parent) {
            carried[*skeleton.nodes[i].parent] += carried[i];
        }
    }
    std::size_t next_root = 0;
    std::vector<std::size_t> next(heads_.size());
    for (std::size_t i = 0; i < heads_.size(); ++i) {
        std::size_t& at = parents_[i] ? next[*parents_[i]] : next_root;
        first_[i] = at;
        last_[i] = at + carried[i];
        next[i] = at + 1;
        at = last_[i];
    }
}

void RestBody::measure() {
    constexpr double far = std::numeric_limits<double>::infinity();
    glm::dvec3 low(far);
    glm::dvec3 high(-far);
    for (const glm::dvec3& head : heads_) {
        if (is_finite(head)) {
            low = glm::min(low, head);
            high = glm::max(high, head);
        }
    }
    const glm::dvec3 size = glm::max(high - low, glm::dvec3(0));
    height_metres_ = size.z;
    // Relative to the body, for files in any unit: a hundred-thousandth of it is shorter than any bone.
    const double nothing = 1e-5 * std::max({size.x, size.y, size.z});
    for (std::size_t i = 0; i < heads_.size(); ++i) {
        at_parent_[i] = parents_[i] && glm::length(heads_[i] - heads_[*parents_[i]]) <= nothing;
    }
}

std::vector<std::size_t> RestBody::path(std::size_t above, std::size_t joint) const {
    std::vector<std::size_t> joints;
    if (!is_above(above, joint)) {
        return joints;
    }
    for (std::size_t at = joint; at != above; at = *parents_[at]) {
        joints.push_back(at);
    }
    joints.push_back(above);
    std::reverse(joints.begin(), joints.end());
    return joints;
}

}  // namespace animbridge::rig
