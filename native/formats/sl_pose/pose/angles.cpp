// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "formats/sl_pose/pose/pose.h"

namespace animbridge::sl_pose::pose {

namespace {

/// The cosine of a pitch at which the viewer sees gimbal lock.
constexpr double locked_cosine = 0.000436;
constexpr double half_turn = 3.14159265358979323846;

glm::dquat about(int axis, float radians) {
    const double half = 0.5 * static_cast<double>(radians);
    glm::dquat turn(std::cos(half), 0, 0, 0);
    (axis == 0 ? turn.x : axis == 1 ? turn.y : turn.z) = std::sin(half);
    return turn;
}

/// The sign that the viewer's way through a matrix gives.
glm::dquat with_sign(const glm::dquat& q) {
    if (4.0 * q.w * q.w > 1.0) {
        return q.w < 0 ? -q : q;
    }
    const double x = std::abs(q.x);
    const double y = std::abs(q.y);
    const double z = std::abs(q.z);
    const double largest = x >= y && x >= z ? q.x : y >= z ? q.y : q.z;
    return largest < 0 ? -q : q;
}

/// The two arguments of the roll: their length is the cosine of the pitch.
double pitch_cosine(const glm::dquat& q) {
    return std::hypot(2.0 * (q.x * q.w - q.y * q.z), q.w * q.w - q.x * q.x - q.y * q.y + q.z * q.z);
}

}  // namespace

glm::dquat rotation_of(const Triple& radians) {
    if (!std::ranges::all_of(radians, [](float angle) { return std::isfinite(angle); })) {
        return {1, 0, 0, 0};
    }
    return with_sign(product(product(about(0, radians[0]), about(1, radians[1])), about(2, radians[2])));
}

Triple angles_of(const glm::dquat& given) {
    const glm::dquat q = glm::normalize(given);
    const double cosine = pitch_cosine(q);
    if (cosine <= locked_cosine) {
        const bool is_up = q.y * q.w + q.x * q.z > 0;
        const double yaw =
            is_up ? 2.0 * std::atan2(q.z + q.x, q.w + q.y) : 2.0 * std::atan2(q.z - q.x, q.w - q.y);
        return {0.0F, static_cast<float>(is_up ? 0.5 * half_turn : -0.5 * half_turn),
                static_cast<float>(yaw)};
    }
    const double roll =
        std::atan2(2.0 * (q.x * q.w - q.y * q.z), q.w * q.w - q.x * q.x - q.y * q.y + q.z * q.z);
    const double pitch = std::atan2(2.0 * (q.y * q.w + q.x * q.z), cosine);
    const double yaw =
        std::atan2(2.0 * (q.z * q.w - q.x * q.y), q.w * q.w + q.x * q.x - q.y * q.y - q.z * q.z);
    return {static_cast<float>(roll), static_cast<float>(pitch), static_cast<float>(yaw)};
}

bool is_locked(const glm::dquat& rotation) { return pitch_cosine(glm::normalize(rotation)) <= 0.001; }

}  // namespace animbridge::sl_pose::pose
