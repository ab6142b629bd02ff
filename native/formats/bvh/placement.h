// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace animbridge::bvh {

/// A rotation by quarter turns: placed[i] = sign[i] * file[source[i]]. Right-handed, and exact in both
/// directions.
struct Axes {
    std::array<std::uint8_t, 3> source{0, 1, 2};
    std::array<double, 3> sign{1.0, 1.0, 1.0};

    [[nodiscard]] glm::dvec3 place(const glm::dvec3& file) const {
        return {sign[0] * file[source[0]], sign[1] * file[source[1]], sign[2] * file[source[2]]};
    }
    [[nodiscard]] Axes inverse() const;
    /// These axes, then rotated by quarter turns about the placed Z, from X towards Y.
    [[nodiscard]] Axes rotated(std::size_t quarters) const;
    /// The file's axis that becomes +Y, named as in axes_of.
    [[nodiscard]] std::string forward() const;
    /// The file's axis that becomes +Z, named as in axes_of.
    [[nodiscard]] std::string up() const;

    bool operator==(const Axes&) const = default;
};

/// The rotation that takes the file's axes `forward` and `up` ("X", "-X", "Y", ...) to Blender's +Y and +Z.
/// Null if a name is unknown or both name the same axis.
[[nodiscard]] std::optional<Axes> axes_of(std::string_view forward, std::string_view up);

/// From a file to the scene: the axes first, then the scale.
struct Placement {
    Axes axes{};
    double scale = 1.0;  ///< metres per unit of the file, above 0

    [[nodiscard]] glm::dvec3 place(const glm::dvec3& file) const { return axes.place(file) * scale; }
};

}  // namespace animbridge::bvh
