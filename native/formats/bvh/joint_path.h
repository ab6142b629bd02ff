// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "formats/bvh/joint_motion.h"
#include "rig/match_joints.h"

namespace animbridge::bvh {

/// The path from the joint of the nearest matched ancestor bone to a joint: up to the common ancestor, then
/// down. Without such a bone, it starts outside the root.
struct JointPath {
    std::size_t joint = 0;
    bool from_root = false;         ///< no ancestor bone has a joint
    std::vector<std::size_t> up;    ///< in path order, starting with the ancestor bone's joint
    std::vector<std::size_t> down;  ///< in path order, ending with `joint`

    /// Whether the path is only the joint's own motion.
    [[nodiscard]] bool is_single() const { return up.empty() && down.size() == 1; }
};

/// The path for a bone that has a joint.
[[nodiscard]] JointPath path_of_bone(std::size_t bone, const Document& document,
                                     const rig::Armature& armature, const rig::JointMatch& match);

/// A joint's transform relative to the beginning of its path, one block of frames at a time, in the file's
/// axes and unit.
struct PathBlock {
    QuaternionBlock rotations;
    PositionBlock positions;
};

/// Frames first to first + count - 1; fills the positions only if `with_positions`.
void follow_path(const JointPath& path, const std::vector<JointMotion>& motions, bool with_positions,
                 std::size_t first, std::size_t count, PathBlock& out);

}  // namespace animbridge::bvh
