// SPDX-License-Identifier: MIT
#include "scene_child/camera_turn.h"

#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

namespace animbridge::scene_child {

namespace {

/// How a node's frame turns: its parent's turn is undone, and its own applied.
struct Turn {
    glm::dquat above{1, 0, 0, 0};
    glm::dquat own{1, 0, 0, 0};
};

void turn_rotation(glm::dquat& rotation, const Turn& turn) {
    rotation = glm::normalize(turn.above * rotation * turn.own);
}

void turn_channel(scene::Channel& channel, const Turn& turn) {
    const auto turn_row = [&](double* row, bool is_value) {
        if (channel.target == scene::Target::rotation) {
            glm::dquat rotation(row[0], row[1], row[2], row[3]);
            rotation = turn.above * rotation * turn.own;  // a tangent has no unit length
            const glm::dquat result = is_value ? glm::normalize(rotation) : rotation;
            row[0] = result.w;
            row[1] = result.x;
            row[2] = result.y;
            row[3] = result.z;
        } else if (channel.target == scene::Target::translation) {
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

void turn_cameras(scene::Document& document, const std::map<std::uint32_t, glm::dquat>& turns) {
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
        scene::Placement& rest = document.nodes[node].rest;
        turn_rotation(rest.rotation, turn);
        rest.translation = turn.above * rest.translation;
    }
    for (scene::Animation& animation : document.animations) {
        for (scene::Channel& channel : animation.channels) {
            turn_channel(channel, turn_of(channel.node));
        }
    }
}

}  // namespace animbridge::scene_child
