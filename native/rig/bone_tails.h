// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <vector>

namespace animbridge::rig {

/// A joint that becomes a bone. Positions are in armature space, in metres.
struct BoneEnds {
    std::optional<std::size_t> parent{};  ///< the index of an earlier joint
    glm::dvec3 head{0, 0, 0};
    glm::dvec3 targets{0, 0,
                       0};  ///< the sum of the positions at which the bone points, such as children's heads
    double target_count = 0;

    void point_at(const glm::dvec3& place) {
        targets += place;
        target_count += 1.0;
    }
    /// The mean of the targets; the head if there are none.
    [[nodiscard]] glm::dvec3 target() const { return target_count > 0.0 ? targets / target_count : head; }
};

/// Each bone's tail: the point at which the bone points, never its head. A bone without a target continues
/// its parent's direction. `size_without_any`: the length of bones if all positions are equal.
[[nodiscard]] std::vector<glm::dvec3> bone_tails(std::span<const BoneEnds> joints, double size_without_any);

}  // namespace animbridge::rig
