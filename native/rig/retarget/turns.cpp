// SPDX-License-Identifier: MIT
#include "rig/retarget/turns.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

namespace animbridge::rig {

namespace {

/// A unit vector perpendicular to a unit vector.
glm::dvec3 any_across(const glm::dvec3& unit) {
    const glm::dvec3 other = std::abs(unit.x) < 0.6 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
    return glm::normalize(glm::cross(unit, other));
}

}  // namespace

std::optional<glm::dvec3> direction_of(const glm::dvec3& vector, double shortest) {
    const double length = glm::length(vector);
    if (!(length > shortest)) {
        return std::nullopt;
    }
    return vector / length;
}

glm::dquat swing_between(const glm::dvec3& from, const glm::dvec3& to) {
    // The half-way vector gives half the angle, and stays precise for small and for large ones.
    const glm::dvec3 sum = from + to;
    const double length = glm::length(sum);
    if (!(length > 1e-9)) {
        const glm::dvec3 axis = any_across(from);
        return {0, axis.x, axis.y, axis.z};
    }
    const glm::dvec3 half = sum / length;
    const glm::dvec3 axis = glm::cross(from, half);
    return glm::normalize(glm::dquat(glm::dot(from, half), axis.x, axis.y, axis.z));
}

glm::dquat twist_about(const glm::dquat& rotation, const glm::dvec3& axis) {
    const double along = glm::dot(glm::dvec3(rotation.x, rotation.y, rotation.z), axis);
    const glm::dquat twist(rotation.w, axis.x * along, axis.y * along, axis.z * along);
    const double length = std::sqrt(glm::dot(twist, twist));
    return length > 1e-12 ? twist / length : glm::dquat(1, 0, 0, 0);
}

glm::dquat share_of(const glm::dquat& rotation, double share) {
    const glm::dvec3 axis(rotation.x, rotation.y, rotation.z);
    const double sine = glm::length(axis);
    if (!(sine > 0.0)) {
        return {1, 0, 0, 0};
    }
    const double half = std::atan2(sine, rotation.w) * share;
    const glm::dvec3 part = axis * (std::sin(half) / sine);
    return {std::cos(half), part.x, part.y, part.z};
}

std::optional<glm::dquat> roll_between(const glm::dvec3& from, const glm::dvec3& to, const glm::dvec3& axis) {
    constexpr double shortest_across = 1e-3;
    const auto from_across =
        direction_of(from - axis * glm::dot(from, axis), shortest_across * glm::length(from));
    const auto to_across = direction_of(to - axis * glm::dot(to, axis), shortest_across * glm::length(to));
    if (!from_across || !to_across) {
        return std::nullopt;
    }
    const double half = 0.5 * std::atan2(glm::dot(glm::cross(*from_across, *to_across), axis),
                                         glm::dot(*from_across, *to_across));
    const glm::dvec3 part = axis * std::sin(half);
    return glm::dquat(std::cos(half), part.x, part.y, part.z);
}

std::optional<glm::dquat> frame_of(const glm::dvec3& direction, const glm::dvec3& across) {
    const auto side =
        direction_of(across - direction * glm::dot(across, direction), 1e-3 * glm::length(across));
    if (!side) {
        return std::nullopt;
    }
    return glm::normalize(glm::quat_cast(glm::dmat3(direction, *side, glm::cross(direction, *side))));
}

double angle_of_directions_degrees(const glm::dvec3& a, const glm::dvec3& b) {
    return 2.0 * std::atan2(glm::length(a - b), glm::length(a + b)) * 180.0 / std::numbers::pi;
}

}  // namespace animbridge::rig
