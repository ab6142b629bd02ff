// SPDX-License-Identifier: MIT
#include "scene_child/euler.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <numbers>

namespace animbridge::scene_child {

namespace {

constexpr double full_turn = 2.0 * std::numbers::pi;

// Below this, X and Z turn about the same line and only their sum or difference is known.
constexpr double locked_cosine = 1e-9;

double nearest_angle(double angle, double close_to) {
    return angle + full_turn * std::round((close_to - angle) / full_turn);
}

glm::dvec3 nearest_angle(const glm::dvec3& angles, const glm::dvec3& close_to) {
    return {nearest_angle(angles.x, close_to.x), nearest_angle(angles.y, close_to.y),
            nearest_angle(angles.z, close_to.z)};
}

double distance_squared(const glm::dvec3& a, const glm::dvec3& b) { return glm::dot(a - b, a - b); }

/// The rotation of a matrix about Z, if X and Y are known: their rotations leave Y's image in the plane of Z.
double z_angle(const glm::dmat3& matrix, double x) {
    const glm::dvec3 image = matrix * glm::dvec3(0.0, std::cos(x), -std::sin(x));
    return std::atan2(-image.x, image.y);
}

}  // namespace

glm::dquat rotation_of(const glm::dvec3& angles) {
    return glm::angleAxis(angles.z, glm::dvec3(0, 0, 1)) * glm::angleAxis(angles.y, glm::dvec3(0, 1, 0)) *
           glm::angleAxis(angles.x, glm::dvec3(1, 0, 0));
}

glm::dvec3 angles_of(const glm::dquat& rotation, const glm::dvec3& close_to) {
    const glm::dmat3 m = glm::mat3_cast(rotation);  // m[column][row]
    const double cosine = std::hypot(m[0][0], m[0][1]);
    const double y = std::atan2(-m[0][2], cosine);
    if (cosine < locked_cosine) {
        return {close_to.x, nearest_angle(y, close_to.y), nearest_angle(z_angle(m, close_to.x), close_to.z)};
    }
    const double x = std::atan2(m[1][2], m[2][2]);
    const double z = std::atan2(m[0][1], m[0][0]);
    const glm::dvec3 plain = nearest_angle({x, y, z}, close_to);
    const glm::dvec3 other =
        nearest_angle({x + std::numbers::pi, std::numbers::pi - y, z + std::numbers::pi}, close_to);
    return distance_squared(plain, close_to) <= distance_squared(other, close_to) ? plain : other;
}

}  // namespace animbridge::scene_child
