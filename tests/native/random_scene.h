// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "formats/scene_file/clip/clip.h"
#include "formats/scene_file/file/file.h"

/// Scenes of random trees, and the positions of their nodes by plain 4x4 matrices.
namespace animbridge::test {

// Sums and products of a few doubles of size 10.
inline constexpr double near_enough = 1e-9;

struct Random {
    std::mt19937 engine{30};

    double number(double low = -2.0, double high = 2.0) {
        return std::uniform_real_distribution<double>(low, high)(engine);
    }
    std::size_t below(std::size_t end) { return engine() % end; }
    glm::dvec3 vector() { return {number(), number(), number()}; }
    glm::dquat rotation() { return glm::normalize(glm::dquat(number(), number(), number(), number() + 2.5)); }
    /// The same size along each axis; any signs.
    glm::dvec3 scale() {
        const double size = number(0.5, 2.0);
        const auto sign = [&] { return below(4) == 0 ? -1.0 : 1.0; };
        return {sign() * size, sign() * size, sign() * size};
    }
};

/// Written out, and not by glm's conversions of placements.
inline glm::dmat4 placement_matrix(const scene_file::file::Placement& placement) {
    glm::dmat4 matrix = glm::mat4_cast(placement.rotation);
    for (int column = 0; column < 3; ++column) {
        matrix[column] *= placement.scale[column];
    }
    matrix[3] = glm::dvec4(placement.translation, 1.0);
    return matrix;
}

inline glm::dvec3 direction(scene_file::file::Axis axis) {
    switch (axis) {
        case scene_file::file::Axis::plus_x:
            return {1, 0, 0};
        case scene_file::file::Axis::minus_x:
            return {-1, 0, 0};
        case scene_file::file::Axis::plus_y:
            return {0, 1, 0};
        case scene_file::file::Axis::minus_y:
            return {0, -1, 0};
        case scene_file::file::Axis::plus_z:
            return {0, 0, 1};
        case scene_file::file::Axis::minus_z:
            return {0, 0, -1};
    }
    return {};
}

/// From the file's space to clip space: its rows are the clip's axes in the file.
inline glm::dmat4 to_clip_space(const scene_file::file::Space& space) {
    const glm::dvec3 z = direction(space.up);
    const glm::dvec3 y = -direction(space.front);
    const glm::dvec3 x = glm::cross(y, z);
    glm::dmat4 matrix(1.0);
    for (int column = 0; column < 3; ++column) {
        matrix[column] = space.metres_per_unit * glm::dvec4(x[column], y[column], z[column], 0.0);
    }
    return matrix;
}

/// All nodes are joints.
inline scene_file::file::Document random_tree(Random& random, bool scales) {
    scene_file::file::Document made{"gltf"};
    made.space.up = static_cast<scene_file::file::Axis>(random.below(6));
    const auto line = static_cast<std::size_t>(made.space.up) / 2;
    made.space.front = static_cast<scene_file::file::Axis>((2 * line + 2 + random.below(4)) % 6);
    made.space.metres_per_unit = random.number(0.01, 2.0);
    for (std::uint32_t i = 0; i < 8; ++i) {
        scene_file::file::Node node{"joint " + std::to_string(i)};
        if (i > 0) {
            node.parent = static_cast<std::uint32_t>(random.below(i));
        }
        node.rest = {random.vector(), random.rotation(), scales ? random.scale() : glm::dvec3(1)};
        node.is_skinned = true;
        made.nodes.push_back(std::move(node));
    }
    return made;
}

inline std::vector<glm::dmat4> worlds_of(const scene_file::file::Document& made,
                                         const std::vector<scene_file::file::Placement>& placements) {
    std::vector<glm::dmat4> worlds;
    for (std::size_t i = 0; i < made.nodes.size(); ++i) {
        const glm::dmat4 above =
            made.nodes[i].parent ? worlds[*made.nodes[i].parent] : to_clip_space(made.space);
        worlds.push_back(above * placement_matrix(placements[i]));
    }
    return worlds;
}

inline std::vector<scene_file::file::Placement> rests_of(const scene_file::file::Document& made) {
    std::vector<scene_file::file::Placement> placements;
    for (const scene_file::file::Node& node : made.nodes) {
        placements.push_back(node.rest);
    }
    return placements;
}

/// A world matrix with uniform scales is a rotation, then a size, then a mirror along x if it mirrors.
inline void check_pose(const std::vector<Transform>& shown, const std::vector<glm::dmat4>& worlds) {
    REQUIRE(shown.size() == worlds.size());
    for (std::size_t i = 0; i < shown.size(); ++i) {
        CHECK(glm::distance(shown[i].translation, glm::dvec3(worlds[i][3])) < near_enough);
        const glm::dmat3 linear(worlds[i]);
        const double volume = glm::determinant(linear);
        const double size = std::cbrt(std::abs(volume));
        const glm::dmat3 turn = glm::mat3_cast(shown[i].rotation);
        for (int column = 0; column < 3; ++column) {
            const double sign = column == 0 && volume < 0.0 ? -1.0 : 1.0;
            CHECK(glm::distance(turn[column], sign * linear[column] / size) < near_enough);
        }
    }
}

inline std::vector<Transform> resting(const Skeleton& skeleton) {
    std::vector<Transform> world;
    for (const Node& node : skeleton.nodes) {
        world.push_back(node.parent ? world[*node.parent] * node.rest_local : node.rest_local);
    }
    return world;
}

inline std::array<double, 4> row_of(const glm::dquat& q) { return {q.w, q.x, q.y, q.z}; }

/// Channels of all nodes with keys at the same times, some of rotations and some of translations.
inline void animate(Random& random, const std::vector<double>& times, scene_file::file::Document& made) {
    scene_file::file::Animation& animation = made.animations.emplace_back();
    animation.name = "Any";
    for (std::uint32_t node = 0; node < made.nodes.size(); ++node) {
        scene_file::file::Channel turns{node, scene_file::file::Target::rotation};
        scene_file::file::Channel moves{node, scene_file::file::Target::translation};
        turns.times_seconds = moves.times_seconds = times;
        std::vector<double>& rotations = turns.values.edit();
        std::vector<double>& places = moves.values.edit();
        for (std::size_t key = 0; key < times.size(); ++key) {
            const auto q = row_of(random.rotation());
            const glm::dvec3 t = random.vector();
            rotations.insert(rotations.end(), q.begin(), q.end());
            places.insert(places.end(), {t.x, t.y, t.z});
        }
        if (random.below(4) > 0) {
            animation.channels.push_back(turns);
        }
        if (random.below(2) > 0) {
            animation.channels.push_back(moves);
        }
    }
}

inline std::vector<scene_file::file::Placement> keyed(const scene_file::file::Document& made,
                                                      std::size_t key) {
    auto placements = rests_of(made);
    for (const scene_file::file::Channel& channel : made.animations[0].channels) {
        const double* v = channel.values.data() + key * scene_file::file::width_of(channel.target);
        if (channel.target == scene_file::file::Target::rotation) {
            placements[channel.node].rotation = {v[0], v[1], v[2], v[3]};
        } else if (channel.target == scene_file::file::Target::translation) {
            placements[channel.node].translation = {v[0], v[1], v[2]};
        }
    }
    return placements;
}

inline Clip clip_of(const scene_file::file::Document& made) {
    return scene_file::clip::to_clip(made, {std::nullopt, made.space}).clip;
}

}  // namespace animbridge::test
