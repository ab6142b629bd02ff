// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>

/// Rotations between directions.
namespace animbridge::rig {

/// The unit vector; nullopt if the vector is not longer than `shortest`.
[[nodiscard]] std::optional<glm::dvec3> direction_of(const glm::dvec3& vector, double shortest = 1e-9);

/// The smallest rotation from the unit vector `from` to the unit vector `to`. For opposite vectors, the axis
/// is any perpendicular one.
[[nodiscard]] glm::dquat swing_between(const glm::dvec3& from, const glm::dvec3& to);

/// The part of a rotation that is about the unit axis: rotation = swing * twist.
[[nodiscard]] glm::dquat twist_about(const glm::dquat& rotation, const glm::dvec3& axis);

/// The rotation to the power of `share`, 0 to 1, on the side of the quaternion's own sign.
[[nodiscard]] glm::dquat share_of(const glm::dquat& rotation, double share);

/// The rotation about the unit axis that brings `from` as close as possible to `to`, seen along the axis;
/// nullopt if one of them points along the axis.
[[nodiscard]] std::optional<glm::dquat> roll_between(const glm::dvec3& from, const glm::dvec3& to,
                                                     const glm::dvec3& axis);

/// The orientation whose x axis is the unit vector `direction`, and whose y axis is as close as possible to
/// `across`; nullopt if they are parallel.
[[nodiscard]] std::optional<glm::dquat> frame_of(const glm::dvec3& direction, const glm::dvec3& across);

/// The angle between two unit vectors in degrees, precise for small angles.
[[nodiscard]] double angle_of_directions_degrees(const glm::dvec3& a, const glm::dvec3& b);

/// The quaternion with the sign that is closer to `other`.
[[nodiscard]] inline glm::dquat with_sign_of(const glm::dquat& q, const glm::dquat& other) {
    return glm::dot(q, other) < 0.0 ? -q : q;
}

}  // namespace animbridge::rig
