// SPDX-License-Identifier: MIT
#include "rig/rest_turns.h"

#include <algorithm>
#include <array>
#include <vector>

namespace animbridge::rig {

namespace {

/// The factors for a row of a joint's track: rotations get both, translations are rotated.
struct Turn {
    glm::dquat before{1, 0, 0, 0};
    glm::dquat after{1, 0, 0, 0};

    /// Four numbers of a rotation, or three of a translation and one that stays.
    [[nodiscard]] std::array<double, 4> row(const std::array<double, 4>& row, Channel channel) const {
        if (channel == Channel::rotation) {
            const glm::dquat q = before * glm::dquat(row[0], row[1], row[2], row[3]) * after;
            return {q.w, q.x, q.y, q.z};
        }
        const glm::dvec3 v = before * glm::dvec3(row[0], row[1], row[2]);
        return {v.x, v.y, v.z, row[3]};
    }
};

/// The values of the handles of one key, on their in or out side.
template <double Handles::*Value>
void turn_handles(Track& track, std::size_t first, const Turn& turn) {
    std::array<double, 4> row{};
    for (std::size_t i = 0; i < track.width(); ++i) {
        row.at(i) = track.handles[first + i].*Value;
    }
    row = turn.row(row, track.channel);
    for (std::size_t i = 0; i < track.width(); ++i) {
        track.handles[first + i].*Value = row.at(i);
    }
}

void turn_track(Track& track, const Turn& turn) {
    const std::size_t width = track.width();
    for (std::size_t first = 0; first < track.values.size(); first += width) {
        std::array<double, 4> row{};
        std::copy_n(track.values.begin() + static_cast<std::ptrdiff_t>(first), width, row.begin());
        row = turn.row(row, track.channel);
        std::copy_n(row.begin(), width, track.values.begin() + static_cast<std::ptrdiff_t>(first));
        if (!track.handles.empty()) {
            turn_handles<&Handles::in_value>(track, first, turn);
            turn_handles<&Handles::out_value>(track, first, turn);
        }
    }
}

void turn_tracks(Clip& clip, const std::vector<Turn>& turns) {
    for (Track& track : clip.tracks) {
        if (track.channel != Channel::property && !track.component) {
            turn_track(track, turns[track.node]);
        }
    }
}

}  // namespace

Clip without_rest_turns(Clip clip) {
    // With the world rests P of the parent and J of the joint, a rotation q becomes P q J^-1, and a position
    // t becomes P t.
    std::vector<glm::dquat> world;
    std::vector<Turn> turns;
    for (Node& node : clip.skeleton.nodes) {
        const glm::dquat above = node.parent ? world[*node.parent] : glm::dquat(1, 0, 0, 0);
        world.push_back(above * node.rest_local.rotation);
        turns.push_back({above, glm::conjugate(world.back())});
        node.rest_local = {glm::dquat(1, 0, 0, 0), above * node.rest_local.translation};
    }
    turn_tracks(clip, turns);
    return clip;
}

Clip with_rest_turns(Clip clip, std::span<const glm::dquat> rest_world) {
    std::vector<Turn> turns;
    for (std::size_t i = 0; i < clip.skeleton.nodes.size(); ++i) {
        Node& node = clip.skeleton.nodes[i];
        const glm::dquat back =
            node.parent ? glm::conjugate(rest_world[*node.parent]) : glm::dquat(1, 0, 0, 0);
        turns.push_back({back, rest_world[i]});
        node.rest_local = {glm::normalize(back * rest_world[i]), back * node.rest_local.translation};
    }
    turn_tracks(clip, turns);
    return clip;
}

}  // namespace animbridge::rig
