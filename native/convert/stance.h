// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/clip.h"
#include "rig/humanoid/found_rig.h"

/// How a body stands in clip space, whose Z is up: at rest, and in the frames of its motion.
namespace animbridge {

/// Whether the skeleton at rest has its head above its hips, and these above its feet, give or take 45
/// degrees. False if the rig lacks one of them.
[[nodiscard]] bool stands_at_rest(const Skeleton& skeleton, const rig::FoundRig& rig);

/// The times at which any node turns or moves by a key, in order: the clip's frames, as "frame:N" counts
/// them.
[[nodiscard]] std::vector<double> frame_times_of(const Clip& clip);

/// In which of a clip's frames the body stands.
struct StandingFrames {
    std::optional<std::size_t> first{};  ///< counted from 0; nullopt: in none
    bool are_most = false;               ///< at least half of the frames
};
/// Looks at up to 64 frames, evenly spread.
[[nodiscard]] StandingFrames standing_frames(const Clip& clip, const rig::FoundRig& rig);

/// Whether the knees bend forward or the elbows bend backward, taken over the motion, if the rest pose counts
/// as that of a person who looks where the rig does. A skeleton whose limbs are rolled at rest does so.
[[nodiscard]] bool bends_backwards(const Clip& clip, const rig::FoundRig& rig);

}  // namespace animbridge
