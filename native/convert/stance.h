// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/clip/clip.h"
#include "rig/humanoid/humanoid.h"

/// Finds out how a body stands in clip space, whose Z is up: at rest, and in the frames of its motion.
namespace animbridge {

/// Whether the skeleton at rest has its head above its hips, and these above its feet, within 45 degrees.
/// False if the rig lacks one of them.
[[nodiscard]] bool stands_at_rest(const Skeleton& skeleton, const rig::FoundRig& rig);

/// The times of the keys that rotate or move any node, in order: the clip's frames, as "frame:N" counts them.
[[nodiscard]] std::vector<double> frame_times_of(const Clip& clip);

/// The frames of a clip in which the body stands.
struct StandingFrames {
    std::optional<std::size_t> first{};  ///< counted from 0; nullopt: in none
    bool are_most = false;               ///< at least half of the frames
};
/// Examines up to 64 frames, evenly spread.
[[nodiscard]] StandingFrames standing_frames(const Clip& clip, const rig::FoundRig& rig);

/// Whether the knees bend forward or the elbows bend backward over the whole motion, if the rest pose is
/// taken as that of a person who faces where the rig does. This happens for skeletons whose limbs are rolled
/// at rest.
[[nodiscard]] bool bends_backwards(const Clip& clip, const rig::FoundRig& rig);

}  // namespace animbridge
