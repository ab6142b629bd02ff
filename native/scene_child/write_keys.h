// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "base/base.h"
#include "formats/scene/document.h"

namespace animbridge::scene_child {

/// Keys of one target. Times still increase after rounding to floats.
struct Keys {
    std::vector<double> times_seconds{};
    std::vector<double>
        values{};  ///< a row for each key; the signs of rotations do not flip, except in a spline
    scene::KeyKind kind = scene::KeyKind::linear;  ///< linear: rotations by slerp
    std::vector<double> tangents{};                ///< for cubic keys, as in scene::Channel; else empty
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
    double duration_seconds = 0;  ///< not less than the time of the last key
    std::vector<NodeKeys> nodes{};
};

/// How readers of a container blend two rotations.
enum class Blend : std::uint8_t {
    slerp,
    euler,       ///< three angles, each separately
    components,  ///< the numbers of a matrix or of a quaternion, made a rotation again
};

/// The keys of the animations that have any, each in the order of the nodes. If an animation lasts longer
/// than its last key, one more key holds the end. ErrorCode::rejected: a channel that is not linear (unless
/// `has_kinds`), or a time below 0.
[[nodiscard]] Result<std::vector<Motion>> motions_of(const scene::Document& document, bool has_kinds = false);

/// Adds keys where readers that blend differently would be off by more than 0.002 degrees.
void add_rotations_for(Blend blend, Keys& rotations);

/// Gives every target keys: the rest pose, or its only key, held from the first to the last key of the node.
/// The first and the last key are at least `shortest_seconds` apart; only shorter animations become longer.
void fill_targets(NodeKeys& keys, const scene::Placement& rest, double shortest_seconds);

/// Gives all targets the union of their times.
void unite_times(NodeKeys& keys);

[[nodiscard]] glm::dquat rotation_at(const Keys& rotations, std::size_t key);
[[nodiscard]] glm::dvec3 vector_at(const Keys& vectors, std::size_t key);

/// slerp along the shorter path.
[[nodiscard]] glm::dquat between(const glm::dquat& from, const glm::dquat& to, double share);

}  // namespace animbridge::scene_child
