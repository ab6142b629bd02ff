// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <span>
#include <vector>

#include "base/job.h"
#include "base/json.h"
#include "base/option.h"
#include "formats/motion.h"
#include "rig/humanoid/found_rig.h"
#include "rig/retarget/retarget.h"

/// Motion from one skeleton onto another, with its options as JSON.
namespace animbridge {

/// The table of a retargeting's options.
[[nodiscard]] std::span<const Option> retarget_options();

/// A motion, and what its joints are.
struct RigMotion {
    Clip clip;
    rig::FoundRig rig;
    /// Per joint a local rotation: the pose in which the rig was found, where the rest pose is not a posture;
    /// empty: found at rest.
    std::vector<glm::dquat> reference{};
};

/// The same, with the rig found in the clip's first frame. For files whose rest pose is not a posture: all
/// bones of a limb lie along one axis, and only the frames say where they point.
[[nodiscard]] Result<RigMotion> motion_with_rig_of_first_frame(Clip clip, const Json& options);

/// Whether the body was found with its head above its feet.
[[nodiscard]] bool stands(const RigMotion& motion);

/// A skeleton to move, and what its joints are.
struct RigTarget {
    Skeleton skeleton;
    rig::FoundRig rig;
};

/// The motion with its rig found: by the rig file in the options' "source_rig", else by the built-in ones.
[[nodiscard]] Result<RigMotion> motion_with_rig(Clip clip, const Json& options);

/// The same for a skeleton, with "target_rig".
[[nodiscard]] Result<RigTarget> target_with_rig(Skeleton skeleton, const Json& options);

/// Per joint a local rotation, in place of what "source_reference" and "target_reference" name; empty: as
/// they say.
struct ReferencePoses {
    std::vector<glm::dquat> source{};
    std::vector<glm::dquat> target{};
};

/// `options`: an object, as the table describes it. ErrorCode::bad_value names an option that is not allowed;
/// ErrorCode::rejected: the rigs have too little in common, and the message says what to do.
[[nodiscard]] Result<rig::Retargeted> retargeted(const RigMotion& source, const RigTarget& target,
                                                 const Json& options, const Job& job,
                                                 const ReferencePoses& poses = {});

}  // namespace animbridge
