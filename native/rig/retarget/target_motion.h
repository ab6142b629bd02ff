// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/base.h"
#include "rig/retarget/alignment.h"
#include "rig/retarget/body_path.h"
#include "rig/retarget/deltas.h"
#include "rig/retarget/motion.h"

namespace animbridge::rig {

/// A target joint that gets keys.
struct TargetColumn {
    std::size_t node = 0;
    std::size_t part = 0;
    std::size_t index = 0;               ///< among the part's target joints
    std::optional<std::size_t> above{};  ///< the nearest column above it in the tree
    Transform parent_link{};  ///< from that column's joint, or from clip space, to its parent's frame
    bool is_child = false;    ///< its parent is the joint of the column above: there is no link
    glm::dvec3 rest_translation{0, 0, 0};  ///< in the parent's frame
    glm::dquat reference{1, 0, 0, 0};      ///< world rotation in the aligned reference, offset included
    bool has_offset = false;
    std::optional<std::size_t> carrier{};  ///< index of its row in TargetMotion::places
};

/// The base of a part without a moving part above it: joints that do not move on the target.
struct PartBase {
    std::size_t source_node = 0;
    std::size_t target_node = 0;
    std::optional<std::size_t> above{};  ///< the nearest column at or above the target's base joint
    glm::dquat link{1, 0, 0, 0};         ///< from that column's joint, or clip space, to the base joint
    glm::dquat reference{1, 0, 0, 0};    ///< the base joint's world rotation in the reference
};

/// The motion of the target's joints at the times of the source's motion.
struct TargetMotion {
    std::vector<TargetColumn> columns;           ///< by ascending node: parents first
    std::vector<std::optional<PartBase>> bases;  ///< per part
    std::size_t carriers = 0;
    std::vector<glm::dquat> rotations;  ///< clip space; a row of the columns for each time
    std::vector<glm::dvec3> places;     ///< clip space; a row of the carriers for each time

    [[nodiscard]] std::optional<std::size_t> column_of_node(std::size_t node) const;
    /// Computes all columns' transforms at a frame, in clip space; `world` has one entry for each column.
    void place(std::size_t frame, std::vector<Transform>& world) const;
};

/// The frame of the column's parent, in the result of TargetMotion::place.
[[nodiscard]] inline Transform parent_frame(const TargetColumn& column, const std::vector<Transform>& world) {
    if (!column.above) {
        return column.parent_link;
    }
    return column.is_child ? world[*column.above] : world[*column.above] * column.parent_link;
}

/// The joints of the source that parts below a base need, besides PartDeltas::source_nodes.
[[nodiscard]] std::vector<std::size_t> base_source_nodes(const Parts& parts, const Skeleton& source);

[[nodiscard]] Result<TargetMotion> move_target(const Parts& parts, const Skeleton& source_skeleton,
                                               const Posture& source, const Skeleton& target_skeleton,
                                               const FoundRig& target_rig, const Alignment& alignment,
                                               const std::optional<BodyPath>& path,
                                               const SourceMotion& motion, const RetargetOptions& options,
                                               const Job& job);

}  // namespace animbridge::rig
