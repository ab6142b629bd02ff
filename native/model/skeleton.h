// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace animbridge {

/// A rigid transform: x -> rotation * x + translation. Rotation is a unit Hamilton quaternion, translation is
/// in metres.
struct Transform {
    glm::dquat rotation{1, 0, 0, 0};
    glm::dvec3 translation{0, 0, 0};
};

/// a * b, as GLM computes it. GLM's own operator is a call, which takes half the time of posing a skeleton.
[[nodiscard]] inline glm::dquat product(const glm::dquat& a, const glm::dquat& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z, a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x};
}

/// Applies `local` first, then `parent`.
[[nodiscard]] inline Transform operator*(const Transform& parent, const Transform& local) {
    return {product(parent.rotation, local.rotation),
            parent.translation + parent.rotation * local.translation};
}

[[nodiscard]] inline Transform inverse(const Transform& given) {
    const glm::dquat back = glm::conjugate(given.rotation);
    return {back, -(back * given.translation)};
}

/// A place as seen from a frame.
[[nodiscard]] inline glm::dvec3 seen_from(const Transform& frame, const glm::dvec3& place) {
    return glm::conjugate(frame.rotation) * (place - frame.translation);
}

[[nodiscard]] inline bool is_finite(const glm::dvec3& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// The angle between two orientations in degrees, 0 to 180. The quaternions need not be of unit length, and q
/// equals -q. Uses the chord, which stays precise where acos of a dot product near 1 does not.
[[nodiscard]] double angle_between_degrees(const glm::dquat& a, const glm::dquat& b);

/// What makes a node a camera: its viewing direction, in the node's own frame.
struct Camera {
    enum class Axes : std::uint8_t {
        looks_down_z,  ///< looks along -Z, with Y up in its picture, as in glTF and Blender
        looks_along_y  ///< looks along Y, with Z up
    };
    Axes axes = Axes::looks_down_z;
    double horizontal_field_degrees = 0;  ///< 0: unknown or orthographic
};

/// A joint of a skeleton.
struct Node {
    std::string name;
    std::span<const std::string_view> aliases{};  ///< other names in files and rigs; static storage
    std::optional<std::size_t> parent{};          ///< index of an earlier node; none: a root
    Transform rest_local{};                       ///< the rest pose, in the parent's frame
    std::optional<Camera> camera{};               ///< none: not a camera
};

/// Joints, parents before children. Clip space: right-handed, Z up, metres.
struct Skeleton {
    std::vector<Node> nodes;

    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
};

/// Of the nodes, in their order.
[[nodiscard]] std::vector<std::string> names_of(const Skeleton& skeleton);

}  // namespace animbridge
