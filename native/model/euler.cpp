// SPDX-License-Identifier: MIT
#include "model/euler.h"

#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <numbers>

namespace animbridge {

namespace {

constexpr double pi = std::numbers::pi;

/// Whether x, y, z follow each other in a circle; else a turn appears with the other sign.
double parity_of(const EulerOrder& order) { return order.second == (order.first + 1) % 3 ? 1.0 : -1.0; }

glm::dquat axis_turn(int axis, double angle) {
    glm::dvec3 direction(0);
    direction[axis] = 1.0;
    return glm::angleAxis(angle, direction);
}

/// Each angle by whole turns as near to `before` as it comes.
glm::dvec3 unwound(glm::dvec3 angles, const glm::dvec3& before) {
    for (int axis = 0; axis < 3; ++axis) {
        angles[axis] += 2.0 * pi * std::round((before[axis] - angles[axis]) / (2.0 * pi));
    }
    return angles;
}

}  // namespace

glm::dquat rotation_of_euler(const EulerOrder& order, const glm::dvec3& angles) {
    return axis_turn(order.third, angles[order.third]) * axis_turn(order.second, angles[order.second]) *
           axis_turn(order.first, angles[order.first]);
}

glm::dvec3 euler_near(const EulerOrder& order, const glm::dquat& rotation, const glm::dvec3& before) {
    const auto [i, j, k] = order;
    const double s = parity_of(order);
    // glm's matrices are indexed by column, then row.
    const glm::dmat3 m = glm::mat3_cast(rotation);
    const double cosine = std::hypot(m[i][i], m[i][j]);
    glm::dvec3 angles(0);
    angles[j] = std::atan2(-s * m[i][k], cosine);
    // Nearer to the lock than this the first and the third axis cannot be told apart.
    constexpr double locked = 1e-7;
    if (cosine < locked) {
        angles[i] = before[i];
        const glm::dmat3 rest = glm::mat3_cast(rotation * axis_turn(i, -before[i]));
        angles[k] = std::atan2(-s * rest[j][i], rest[j][j]);
        return unwound(angles, before);
    }
    angles[i] = std::atan2(s * m[j][k], m[k][k]);
    angles[k] = std::atan2(s * m[i][j], m[i][i]);
    glm::dvec3 flipped = angles + glm::dvec3(pi);
    flipped[j] = pi - angles[j];
    const glm::dvec3 one = unwound(angles, before);
    const glm::dvec3 other = unwound(flipped, before);
    return glm::length(other - before) < glm::length(one - before) ? other : one;
}

}  // namespace animbridge
