// SPDX-License-Identifier: MIT
#include "model/skeleton.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace animbridge {

double angle_between_degrees(const glm::dquat& a, const glm::dquat& b) {
    const double length_a = std::sqrt(glm::dot(a, a));
    const double length_b = std::sqrt(glm::dot(b, b));
    if (!(length_a > 0.0) || !(length_b > 0.0)) {
        return length_a == length_b ? 0.0 : 180.0;
    }
    const glm::dquat unit_a = a / length_a;
    // The same arithmetic for both, so that equal quaternions differ by exactly 0.
    const glm::dquat unit_b = b / (glm::dot(a, b) < 0.0 ? -length_b : length_b);
    const glm::dquat difference = unit_a - unit_b;
    const glm::dquat sum = unit_a + unit_b;
    // For unit vectors, tan(angle / 2) = |a - b| / |a + b|. The rotation's angle is twice the angle between
    // the quaternions.
    return 4.0 * std::atan2(std::sqrt(glm::dot(difference, difference)), std::sqrt(glm::dot(sum, sum))) *
           180.0 / std::numbers::pi;
}

std::optional<std::size_t> Skeleton::find(std::string_view name) const {
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [&](const Node& node) { return node.name == name; });
    if (found == nodes.end()) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - nodes.begin());
}

std::vector<std::string> names_of(const Skeleton& skeleton) {
    std::vector<std::string> names;
    for (const Node& node : skeleton.nodes) {
        names.push_back(node.name);
    }
    return names;
}

}  // namespace animbridge
