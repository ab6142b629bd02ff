// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <vector>

namespace animbridge::rig {

/// A joint that becomes a bone. Places are in armature space, metres.
struct BoneEnds {
    std::optional<std::size_t> parent{};  ///< the index of a joint before this one
    glm::dvec3 head{0, 0, 0};
    glm::dvec3 targets{0, 0,
                       0};  ///< the sum of the places at which the bone points, such as children's heads
    double target_count = 0;

    void point_at(const glm::dvec3& place) {
        targets += place;
        target_count += 1.0;
    }
    /// The middle of the targets; the head without any.
    [[nodiscard]] glm::dvec3 target() const { return target_count > 0.0 ? targets / target_count : head; }
};

/// Per joint, the tail of its bone: what it points at, never at the head. A bone that points at nothing goes
/// on as its parent does. `size_without_any`: of the smallest bone where all places are one.
[[nodiscard]] std::vector<glm::dvec3> bone_tails(std::span<const BoneEnds> joints, double size_without_any);

}  // namespace animbridge::rig
