// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <optional>
#include <vector>

#include "model/clip/clip.h"

namespace animbridge::rig {

/// The tree and the rest pose of a skeleton, indexed for finding a map. Time and memory are linear in the
/// joints.
class RestBody {
public:
    explicit RestBody(const Skeleton& skeleton);

    [[nodiscard]] std::size_t joint_count() const { return heads_.size(); }
    /// Clip space, metres.
    [[nodiscard]] const glm::dvec3& head(std::size_t joint) const { return heads_[joint]; }
    [[nodiscard]] const std::vector<std::size_t>& children(std::size_t joint) const {
        return children_[joint];
    }
    [[nodiscard]] const std::optional<std::size_t>& parent(std::size_t joint) const {
        return parents_[joint];
    }
    /// Whether `above` is an ancestor of `joint`, or the joint itself.
    [[nodiscard]] bool is_above(std::size_t above, std::size_t joint) const {
        return first_[above] <= first_[joint] && first_[joint] < last_[above];
    }
    /// Whether the joint's head is where its parent's is: there is no bone between them.
    [[nodiscard]] bool is_at_parent(std::size_t joint) const { return at_parent_[joint]; }
    /// The joints from `above` down to `joint`, including both; empty if `above` is not an ancestor.
    [[nodiscard]] std::vector<std::size_t> path(std::size_t above, std::size_t joint) const;
    [[nodiscard]] double height_metres() const { return height_metres_; }

private:
    void place(const Skeleton& skeleton);
    void number(const Skeleton& skeleton);
    void measure();

    std::vector<glm::dvec3> heads_;
    std::vector<std::optional<std::size_t>> parents_;
    std::vector<std::vector<std::size_t>> children_;
    std::vector<std::size_t> first_;  ///< position in depth-first order: a joint's descendants follow it
    std::vector<std::size_t> last_;   ///< one after its last descendant
    std::vector<bool> at_parent_;
    double height_metres_ = 0;
};

}  // namespace animbridge::rig
