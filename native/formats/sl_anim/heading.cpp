// SPDX-License-Identifier: MIT
#include "formats/sl_anim/heading.h"

#include <array>
#include <cmath>
#include <optional>

#include "formats/sl_anim/skeleton.h"

namespace animbridge::sl_anim {

namespace {

/// A joint's rest rotation relative to the root.
glm::dquat resting_rotation(const Skeleton& skeleton, std::size_t node) {
    glm::dquat rotation(1, 0, 0, 0);
    for (std::optional<std::size_t> at = node; at; at = skeleton.nodes[*at].parent) {
        rotation = skeleton.nodes[*at].rest_local.rotation * rotation;
    }
    return rotation;
}

/// The quarter turns, 0 to 3, that align the first known joint with the avatar's; nullopt: none does.
std::optional<std::size_t> quarters_of(const Skeleton& skeleton) {
    constexpr double tolerated_degrees = 0.1;
    constexpr double half = 0.70710678118654752440;
    constexpr std::array<std::array<double, 2>, 4> turns = {{{1, 0}, {half, half}, {0, 1}, {half, -half}}};
    for (std::size_t node = 0; node < skeleton.nodes.size(); ++node) {
        const auto joint = find_joint(skeleton.nodes[node].name);
        if (!joint) {
            continue;
        }
        const glm::dquat own = resting_rotation(skeleton, node);
        const glm::dquat wanted = resting_rotation(playing_skeleton(), *joint);
        for (std::size_t i = 0; i < turns.size(); ++i) {
            const glm::dquat turned = glm::dquat(turns.at(i)[0], 0, 0, turns.at(i)[1]) * own;
            if (angle_between_degrees(turned, wanted) <= tolerated_degrees) {
                return i;
            }
        }
        return std::nullopt;
    }
    return std::nullopt;
}

/// Rotates by quarter turns from X towards Y, exactly.
glm::dvec3 turned(const glm::dvec3& v, std::size_t quarters) {
    switch (quarters) {
        case 1:
            return {-v.y, v.x, v.z};
        case 2:
            return {-v.x, -v.y, v.z};
        case 3:
            return {v.y, -v.x, v.z};
        default:
            return v;
    }
}

void turn_track(Track& track, const glm::dquat& turn, std::size_t quarters) {
    const std::size_t width = track.width();
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        double* row = track.values.data() + key * width;
        if (track.channel == Channel::rotation) {
            const glm::dquat q = turn * track.rotation(key);
            row[0] = q.w;
            row[1] = q.x;
            row[2] = q.y;
            row[3] = q.z;
        } else {
            const glm::dvec3 place = turned(track.translation(key), quarters);
            row[0] = place.x;
            row[1] = place.y;
            row[2] = place.z;
        }
    }
}

/// Whether the track's keys can be turned: whole rows without handles.
bool can_turn(const Clip& clip, const Track& track) {
    return clip.skeleton.nodes[track.node].parent || track.channel == Channel::property ||
           (!track.component && track.handles.empty());
}

}  // namespace

Clip turned_like_avatar(Clip clip) {
    const auto quarters = quarters_of(clip.skeleton);
    if (!quarters || *quarters == 0) {
        return clip;
    }
    for (const Track& track : clip.tracks) {
        if (!can_turn(clip, track)) {
            return clip;
        }
    }
    const double angle = 0.25 * 3.14159265358979323846 * static_cast<double>(*quarters);
    const glm::dquat turn(std::cos(angle), 0, 0, std::sin(angle));
    for (Track& track : clip.tracks) {
        if (!clip.skeleton.nodes[track.node].parent && track.channel != Channel::property) {
            turn_track(track, turn, *quarters);
        }
    }
    for (Node& node : clip.skeleton.nodes) {
        if (!node.parent) {
            node.rest_local.rotation = turn * node.rest_local.rotation;
            node.rest_local.translation = turned(node.rest_local.translation, *quarters);
        }
    }
    return clip;
}

}  // namespace animbridge::sl_anim
