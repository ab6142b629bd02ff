// SPDX-License-Identifier: MIT
#include "rig/euler.h"

#include <array>

namespace animbridge::rig {

EulerOrder order_of(BoneChannel channel) {
    constexpr std::array<EulerOrder, 6> orders = {
        {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
    return orders.at(static_cast<std::size_t>(channel) - static_cast<std::size_t>(BoneChannel::euler_xyz));
}

glm::dquat rotation_of_euler(BoneChannel order, const glm::dvec3& angles) {
    return animbridge::rotation_of_euler(order_of(order), angles);
}

glm::dvec3 euler_near(BoneChannel order, const glm::dquat& rotation, const glm::dvec3& before) {
    return animbridge::euler_near(order_of(order), rotation, before);
}

}  // namespace animbridge::rig
