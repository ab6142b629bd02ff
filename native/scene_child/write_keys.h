// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/scene/document.h"

namespace animbridge::scene_child {

/// Keys of one target. Times also increase once they are floats.
struct Keys {
    std::vector<double> times_seconds{};
    std::vector<double>
        values{};  ///< a row for each key; the signs of rotations do not flip, but of a spline
    scene::KeyKind kind = scene::KeyKind::linear;  ///< linear: rotations by slerp
    std::vector<double> tangents{};                ///< of cubic keys, as in scene::Channel; else empty
};

/// The keys of one node; a target without keys does not move.
struct NodeKeys {
    std::uint32_t node = 0;
    std::array<Keys, 3> targets{};  ///< by scene::Target

    [[nodiscard]] Keys& of(scene::Target target) { return targets[static_cast<std::size_t>(target)]; }
    [[nodiscard]] const Keys& of(scene::Target target) const {
        return targets[static_cast<std::size_t>(target)];
    }
};

struct Motion {
    std::string name{};
    double duration_seconds = 0;  ///< at least the last key
    std::vector<NodeKeys> nodes{};
};

/// How those who read a container blend two rotations.
enum class Blend : std::uint8_t {
    slerp,
    euler,       ///< three angles, each by itself
    components,  ///< the numbers of a matrix or of a quaternion, made a rotation again
};

/// The keys of the animations that have any, each in the order of the nodes.
/// Where an animation lasts longer than its last key, one more key holds the
/// end. ErrorCode::rejected: a channel that is not linear (where
/// other kinds are allowed), or a time below 0.
[[nodiscard]] Result<std::vector<Motion>> motions_of(const scene::Document& document, bool has_kinds = false);

/// Adds rotations to where readers that blend otherwise would be off by more than 0.002 degrees.
void add_rotations_for(Blend blend, Keys& rotations);

/// Gives every target keys: the rest pose, or its only key, held from the first to the last key of the node.
/// The first and the last key are at least `shortest_seconds` apart; only a shorter animation gets longer.
void fill_targets(NodeKeys& keys, const scene::Placement& rest, double shortest_seconds);

/// Gives all targets the same times: those of all of them.
void unite_times(NodeKeys& keys);

[[nodiscard]] glm::dquat rotation_at(const Keys& rotations, std::size_t key);
[[nodiscard]] glm::dvec3 vector_at(const Keys& vectors, std::size_t key);

/// slerp on the shorter way.
[[nodiscard]] glm::dquat between(const glm::dquat& from, const glm::dquat& to, double share);

}  // namespace animbridge::scene_child
