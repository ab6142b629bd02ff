// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "formats/bvh/joint_motion.h"
#include "rig/match_joints.h"

namespace animbridge::bvh {

/// How a joint is reached from the joint of the bone above: up to where both hang together, and down again.
/// Without a bone above from outside.
struct JointPath {
    std::size_t joint = 0;
    bool from_root = false;         ///< no bone above has a joint
    std::vector<std::size_t> up;    ///< in the order of the way, the first is the bone's above
    std::vector<std::size_t> down;  ///< ends with `joint`

    /// Whether it is the joint's own motion and nothing else.
    [[nodiscard]] bool is_single() const { return up.empty() && down.size() == 1; }
};

/// The path of a bone that has a joint.
[[nodiscard]] JointPath path_of_bone(std::size_t bone, const Document& document,
                                     const rig::Armature& armature, const rig::JointMatch& match);

/// A joint's placement as seen from the path's beginning, a block of frames at a time, in the file's axes and
/// unit.
struct PathBlock {
    QuaternionBlock rotations;
    PlaceBlock places;
};

/// Frames first..first + count of the path; places only with `with_places`.
void follow_path(const JointPath& path, const std::vector<JointMotion>& motions, bool with_places,
                 std::size_t first, std::size_t count, PathBlock& out);

}  // namespace animbridge::bvh
