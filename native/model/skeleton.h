// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace animbridge {

/// A rigid placement: x -> rotation * x + translation. Rotation is a unit Hamilton quaternion, translation is
/// in metres.
struct Transform {
    glm::dquat rotation{1, 0, 0, 0};
    glm::dvec3 translation{0, 0, 0};
};

/// parent o local: first `local`, then `parent`.
[[nodiscard]] inline Transform operator*(const Transform& parent, const Transform& local) {
    return {parent.rotation * local.rotation, parent.translation + parent.rotation * local.translation};
}

/// The angle between two orientations in degrees, 0..180; the quaternions need not be unit or of one sign.
/// Uses the chord, which keeps its precision where acos of a dot product near 1 has none.
[[nodiscard]] double angle_between_degrees(const glm::dquat& a, const glm::dquat& b);

/// A joint of a skeleton.
struct Node {
    std::string name;
    std::span<const std::string_view> aliases{};  ///< further names by which files and rigs call it, in
                                                  ///< storage that lasts as long as the program
    std::optional<std::size_t> parent{};          ///< index of a node before this one; none: a root
    Transform rest_local{};                       ///< at rest, in the parent's frame
};

/// Joints in an order in which parents come first. Clip space: right-handed, Z up, metres.
struct Skeleton {
    std::vector<Node> nodes;

    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
};

}  // namespace animbridge
