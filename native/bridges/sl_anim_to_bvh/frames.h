// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "bridges/sl_anim_to_bvh/grid.h"
#include "bridges/sl_anim_to_bvh/joints.h"
#include "formats/bvh/document.h"

/// The numbers of a BVH of which the viewer's loader makes the animation again (docs/second-life-bvh.md,
/// "Back to BVH").
namespace animbridge::sl_anim_to_bvh {

/// What a joint's channels say in each frame, frame 0 first: rotations in the file's axes, positions in
/// inches.
struct JointFrames {
    std::vector<glm::dquat> rotations;
    std::vector<glm::dvec3> positions;
};

/// The joint at rest in frame 0 and as the viewer plays it in the others. The loader subtracts frame 0 from
/// mPelvis, which therefore stands at the skeleton's height.
[[nodiscard]] JointFrames sample_frames(const PlannedJoint& planned, const FrameGrid& grid);

/// Whether the loader, which drops joints that it sees no change in, sees a change from frame 0.
[[nodiscard]] bool change_is_seen(const JointFrames& frames, bool positions);

/// Frames of a joint that are off the animation, so that the loader keeps the frames before them.
struct MovedFrames {
    std::size_t joint = 0;  ///< planned
    std::vector<std::size_t> frames{};
};

struct Motion {
    std::vector<double> values{};  ///< [frame][channel], six decimals
    std::vector<std::size_t>
        shifted{};  ///< planned joints whose frame 0 is off rest, so that they are not dropped
    std::vector<MovedFrames> moved{};
    std::size_t keys_between_frames = 0;  ///< keys that no frame carries
};

/// Samples all joints, and gives each joint of `hierarchy` its channels.
/// `hold_keys`: frames may be moved (sl_to_bvh_hold.h).
[[nodiscard]] Motion build_motion(const Plan& plan, const FrameGrid& grid, bool hold_keys,
                                  std::vector<bvh::Joint>& hierarchy);

}  // namespace animbridge::sl_anim_to_bvh
