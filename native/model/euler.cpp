// SPDX-License-Identifier: MIT
#include "model/euler.h"

#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <numbers>

namespace animbridge {

namespace {

constexpr double pi = std::numbers::pi;

/// 1 if the axes are in the cyclic order x, y, z, else -1: then the angles change their sign.
double parity_of(const EulerOrder& order) { return order.second == (order.first + 1) % 3 ? 1.0 : -1.0; }

glm::dquat axis_rotation(int axis, double angle) {
    glm::dvec3 direction(0);
    direction[axis] = 1.0;
    return glm::angleAxis(angle, direction);
}

/// Adds whole turns to each angle to bring it as close to `before` as possible.
glm::dvec3 unwound(glm::dvec3 angles, const glm::dvec3& before) {
    for (int axis = 0; axis < 3; ++axis) {
        angles[axis] += 2.0 * pi * std::round((before[axis] - angles[axis]) / (2.0 * pi));
    }
    return angles;
}

}  // namespace

glm::dquat rotation_of_euler(const EulerOrder& order, const glm::dvec3& angles) {
    return axis_rotation(order.third, angles[order.third]) *
           axis_rotation(order.second, angles[order.second]) *
           axis_rotation(order.first, angles[order.first]);
}

glm::dvec3 euler_near(const EulerOrder& order, const glm::dquat& rotation, const glm::dvec3& before) {
    const auto [i, j, k] = order;
    const double s = parity_of(order);
    // glm's matrices are indexed by column, then row.
    const glm::dmat3 m = glm::mat3_cast(rotation);
    const double cosine = std::hypot(m[i][i], m[i][j]);
    glm::dvec3 angles(0);
    angles[j] = std::atan2(-s * m[i][k], cosine);
    // This close to gimbal lock, the first and third axis cannot be distinguished.
    constexpr double locked = 1e-7;
    if (cosine < locked) {
        angles[i] = before[i];
        const glm::dmat3 rest = glm::mat3_cast(rotation * axis_rotation(i, -before[i]));
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
