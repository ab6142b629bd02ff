// SPDX-License-Identifier: MIT
#include "scene_child/common/common.h"

#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <numbers>

namespace animbridge::scene_child::common {

namespace {

/// How a node's frame turns: its parent's turn is undone, and its own applied.
struct Turn {
    glm::dquat above{1, 0, 0, 0};
    glm::dquat own{1, 0, 0, 0};
};

void turn_rotation(glm::dquat& rotation, const Turn& turn) {
    rotation = glm::normalize(turn.above * rotation * turn.own);
}

void turn_channel(scene_file::file::Channel& channel, const Turn& turn) {
    const auto turn_row = [&](double* row, bool is_value) {
        if (channel.target == scene_file::file::Target::rotation) {
            glm::dquat rotation(row[0], row[1], row[2], row[3]);
            rotation = turn.above * rotation * turn.own;  // a tangent has no unit length
            const glm::dquat result = is_value ? glm::normalize(rotation) : rotation;
            row[0] = result.w;
            row[1] = result.x;
            row[2] = result.y;
            row[3] = result.z;
        } else if (channel.target == scene_file::file::Target::translation) {
            const glm::dvec3 result = turn.above * glm::dvec3(row[0], row[1], row[2]);
            row[0] = result.x;
            row[1] = result.y;
            row[2] = result.z;
        }
    };
    const std::size_t width = width_of(channel.target);
    const auto turn_rows = [&](std::vector<double>& rows, bool are_values) {
        for (std::size_t at = 0; at + width <= rows.size(); at += width) {
            turn_row(&rows[at], are_values);
        }
    };
    turn_rows(channel.values.edit(), true);
    turn_rows(channel.tangents.edit(), false);
}

}  // namespace

std::optional<glm::dquat> camera_turn(const glm::dvec3& look, const glm::dvec3& up) {
    const glm::dvec3 right = glm::cross(look, up);
    if (!(glm::length(right) > 1e-6 * glm::length(look) * glm::length(up))) {
        return std::nullopt;
    }
    const glm::dvec3 back = -glm::normalize(look);
    const glm::dvec3 x = glm::normalize(right);
    return glm::normalize(glm::quat_cast(glm::dmat3(x, glm::cross(back, x), back)));
}

void turn_cameras(scene_file::file::Document& document, const std::map<std::uint32_t, glm::dquat>& turns) {
    if (turns.empty()) {
        return;
    }
    const auto turn_of = [&](std::uint32_t node) {
        Turn result;
        if (const auto own = turns.find(node); own != turns.end()) {
            result.own = own->second;
        }
        const auto parent = document.nodes[node].parent;
        if (const auto above = parent ? turns.find(*parent) : turns.end(); above != turns.end()) {
            result.above = glm::inverse(above->second);
        }
        return result;
    };
    for (std::uint32_t node = 0; node < document.nodes.size(); ++node) {
        const Turn turn = turn_of(node);
        scene_file::file::Placement& rest = document.nodes[node].rest;
        turn_rotation(rest.rotation, turn);
        rest.translation = turn.above * rest.translation;
    }
    for (scene_file::file::Animation& animation : document.animations) {
        for (scene_file::file::Channel& channel : animation.channels) {
            turn_channel(channel, turn_of(channel.node));
        }
    }
}

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

}  // namespace animbridge::scene_child::common
