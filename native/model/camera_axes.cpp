// SPDX-License-Identifier: MIT
#include "model/camera_axes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "model/linear_rows.h"

namespace animbridge {

namespace {

/// How a node's frame turns: its parent's turn is undone, and its own applied.
struct FrameTurn {
    glm::dquat above{1, 0, 0, 0};
    glm::dquat own{1, 0, 0, 0};

    [[nodiscard]] std::array<double, 4> rotation(const double* row) const {
        const glm::dquat q = product(product(above, {row[0], row[1], row[2], row[3]}), own);
        return {q.w, q.x, q.y, q.z};
    }
    [[nodiscard]] std::array<double, 3> place(const double* row) const {
        const glm::dvec3 place = above * glm::dvec3(row[0], row[1], row[2]);
        return {place.x, place.y, place.z};
    }
};

/// Both are linear, so differences of rows, such as handles, turn like rows.
void turn_row(const FrameTurn& turn, Channel channel, double* row) {
    if (channel == Channel::rotation) {
        std::ranges::copy(turn.rotation(row), row);
    } else {
        std::ranges::copy(turn.place(row), row);
    }
}

void turn_handles(const FrameTurn& turn, Channel channel, std::span<Handles> handles) {
    std::array<double, 4> in{};
    std::array<double, 4> out{};
    for (std::size_t i = 0; i < handles.size(); ++i) {
        in.at(i) = handles[i].in_value;
        out.at(i) = handles[i].out_value;
    }
    turn_row(turn, channel, in.data());
    turn_row(turn, channel, out.data());
    for (std::size_t i = 0; i < handles.size(); ++i) {
        handles[i].in_value = in.at(i);
        handles[i].out_value = out.at(i);
    }
}

void turn_track(const FrameTurn& turn, Track& track) {
    const std::size_t width = track.width();
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        turn_row(turn, track.channel, &track.values[key * width]);
        if (!track.handles.empty()) {
            turn_handles(turn, track.channel, std::span(track.handles).subspan(key * width, width));
        }
    }
}

std::vector<FrameTurn> turns_of(const Skeleton& skeleton, Camera::Axes axes) {
    std::vector<FrameTurn> turns;
    turns.reserve(skeleton.nodes.size());
    for (const Node& node : skeleton.nodes) {
        const glm::dquat own = node.camera ? turn_between(node.camera->axes, axes) : glm::dquat(1, 0, 0, 0);
        const glm::dquat above =
            node.parent ? glm::conjugate(turns[*node.parent].own) : glm::dquat(1, 0, 0, 0);
        turns.push_back({above, own});
    }
    return turns;
}

}  // namespace

glm::dquat turn_between(Camera::Axes from, Camera::Axes to) {
    if (from == to) {
        return {1, 0, 0, 0};
    }
    // A quarter turn about X takes Y to Z, which is up in the picture, and Z to -Y, which is behind.
    const double half = std::sqrt(0.5);
    return {half, to == Camera::Axes::looks_down_z ? half : -half, 0, 0};
}

std::optional<Clip> with_camera_axes(const Clip& clip, Camera::Axes axes) {
    const std::vector<Node>& nodes = clip.skeleton.nodes;
    if (std::all_of(nodes.begin(), nodes.end(),
                    [&](const Node& node) { return !node.camera || node.camera->axes == axes; })) {
        return std::nullopt;
    }
    constexpr double step_seconds = 1.0 / 120.0;
    const bool has_components = std::any_of(clip.tracks.begin(), clip.tracks.end(),
                                            [](const Track& track) { return track.component.has_value(); });
    Clip turned = has_components ? with_linear_rows(clip, step_seconds) : clip;
    const std::vector<FrameTurn> turns = turns_of(clip.skeleton, axes);
    for (std::size_t i = 0; i < turns.size(); ++i) {
        Node& node = turned.skeleton.nodes[i];
        const FrameTurn& turn = turns[i];
        node.rest_local = {product(product(turn.above, node.rest_local.rotation), turn.own),
                           turn.above * node.rest_local.translation};
        if (node.camera) {
            node.camera->axes = axes;
        }
    }
    for (Track& track : turned.tracks) {
        if (track.channel != Channel::property) {
            turn_track(turns[track.node], track);
        }
    }
    return turned;
}

}  // namespace animbridge
