// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "bridges/sl_anim_to_bvh/grid.h"
#include "bridges/sl_anim_to_bvh/joints.h"
#include "formats/bvh/file/file.h"

/// The frames of a BVH from which the viewer's loader makes the animation again (docs/second-life-bvh.md,
/// "Back to BVH").
namespace animbridge::sl_anim_to_bvh {

/// What a joint's channels show in each frame, starting with frame 0: rotations in the file's axes, positions
/// in inches.
struct JointFrames {
    std::vector<glm::dquat> rotations;
    std::vector<glm::dvec3> positions;
};

/// The joint at rest in frame 0, and as the viewer plays it in the other frames. The loader subtracts frame 0
/// from mPelvis, so mPelvis is at the skeleton's height.
[[nodiscard]] JointFrames sample_frames(const PlannedJoint& planned, const FrameGrid& grid);

/// Whether the loader sees a change from frame 0. It drops joints without a change.
[[nodiscard]] bool change_is_seen(const JointFrames& frames, bool positions);

/// A joint's frames that deviate from the animation, so that the loader keeps the frames before them.
struct MovedFrames {
    std::size_t joint = 0;  ///< index in Plan::joints
    std::vector<std::size_t> frames{};
};

struct Motion {
    std::vector<double> values{};  ///< [frame][channel], six decimals
    /// Planned joints whose frame 0 is not at rest, so that the loader does not drop them.
    std::vector<std::size_t> shifted{};
    std::vector<MovedFrames> moved{};
    std::size_t keys_between_frames = 0;  ///< keys that are not at a frame
};

/// Samples all joints, and gives each joint of `hierarchy` its channels. `hold_keys`: frames may be moved
/// (hold.h).
[[nodiscard]] Motion build_motion(const Plan& plan, const FrameGrid& grid, bool hold_keys,
                                  std::vector<bvh::Joint>& hierarchy);

}  // namespace animbridge::sl_anim_to_bvh
