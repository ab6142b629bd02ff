// SPDX-License-Identifier: MIT
#include "scene_child/scene_motion.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <span>

namespace animbridge::test {

namespace {

using scene_file::file::Channel;
using scene_file::file::KeyKind;
using scene_file::file::Target;

std::vector<double> row_at(const Channel& channel, std::size_t key) {
    const std::size_t width = width_of(channel.target);
    const auto first = channel.values.begin() + static_cast<std::ptrdiff_t>(key * width);
    return {first, first + static_cast<std::ptrdiff_t>(width)};
}

std::vector<double> normalised(std::vector<double> row) {
    double squares = 0;
    for (const double value : row) {
        squares += value * value;
    }
    for (double& value : row) {
        value /= std::sqrt(squares);
    }
    return row;
}

std::vector<double> hermite(const Channel& channel, std::size_t key, double part, double seconds) {
    const std::size_t width = width_of(channel.target);
    const std::vector<double> from = row_at(channel, key);
    const std::vector<double> to = row_at(channel, key + 1);
    const double p2 = part * part;
    const double p3 = p2 * part;
    std::vector<double> row(width);
    for (std::size_t i = 0; i < width; ++i) {
        const double leaving = channel.tangents[(2 * key + 1) * width + i] * seconds;
        const double arriving = channel.tangents[2 * (key + 1) * width + i] * seconds;
        row[i] = (2 * p3 - 3 * p2 + 1) * from[i] + (p3 - 2 * p2 + part) * leaving +
                 (3 * p2 - 2 * p3) * to[i] + (p3 - p2) * arriving;
    }
    return channel.target == Target::rotation ? normalised(row) : row;
}

std::vector<double> value_at(const Channel& channel, double time) {
    const std::vector<double>& times = channel.times_seconds;
    const auto after = std::upper_bound(times.begin(), times.end(), time);
    if (after == times.begin()) {
        return row_at(channel, 0);
    }
    const auto key = static_cast<std::size_t>(after - times.begin()) - 1;
    if (after == times.end() || channel.kind == KeyKind::step) {
        return row_at(channel, key);
    }
    const double seconds = times[key + 1] - times[key];
    const double part = (time - times[key]) / seconds;
    if (channel.kind == KeyKind::cubic) {
        return hermite(channel, key, part, seconds);
    }
    std::vector<double> from = row_at(channel, key);
    const std::vector<double> to = row_at(channel, key + 1);
    if (channel.target == Target::rotation) {
        const glm::dquat q = glm::slerp(glm::dquat(from[0], from[1], from[2], from[3]),
                                        glm::dquat(to[0], to[1], to[2], to[3]), part);
        return {q.w, q.x, q.y, q.z};
    }
    for (std::size_t i = 0; i < from.size(); ++i) {
        from[i] += part * (to[i] - from[i]);
    }
    return from;
}

WorldPose worlds(const scene_file::file::Document& document,
                 const std::vector<scene_file::file::Placement>& local) {
    WorldPose pose;
    for (std::size_t i = 0; i < local.size(); ++i) {
        const auto parent = document.nodes[i].parent;
        const glm::dmat4 own = matrix_from(local[i]);
        pose.matrices.push_back(parent ? pose.matrices[*parent] * own : own);
        pose.rotations.push_back(parent ? pose.rotations[*parent] * local[i].rotation : local[i].rotation);
    }
    return pose;
}

std::vector<scene_file::file::Placement> rests(const scene_file::file::Document& document) {
    std::vector<scene_file::file::Placement> result;
    for (const scene_file::file::Node& node : document.nodes) {
        result.push_back(node.rest);
    }
    return result;
}

}  // namespace

glm::dmat4 matrix_from(const scene_file::file::Placement& placement) {
    return glm::translate(glm::dmat4(1), placement.translation) * glm::mat4_cast(placement.rotation) *
           glm::scale(glm::dmat4(1), placement.scale);
}

WorldPose rest_pose_of(const scene_file::file::Document& document) {
    return worlds(document, rests(document));
}

WorldPose pose_of(const scene_file::file::Document& document, const scene_file::file::Animation& animation,
                  double seconds) {
    std::vector<scene_file::file::Placement> local = rests(document);
    for (const Channel& channel : animation.channels) {
        const std::vector<double> row = value_at(channel, seconds);
        scene_file::file::Placement& placement = local[channel.node];
        if (channel.target == Target::rotation) {
            placement.rotation = {row[0], row[1], row[2], row[3]};
        } else {
            (channel.target == Target::scale ? placement.scale : placement.translation) =
                glm::dvec3(row[0], row[1], row[2]);
        }
    }
    return worlds(document, local);
}

}  // namespace animbridge::test
