// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "model/clip/clip.h"
#include "rig/retarget/target_motion.h"

namespace animbridge::rig {

/// The inputs for the tracks.
struct TrackSources {
    const Clip& original;
    const Clip& source;          ///< `original` with linear rows
    const Posture& source_pose;  ///< the reference
    const Skeleton& target;
    const Parts& parts;
    const Alignment& alignment;
    const std::optional<BodyPath>& path;
    const SourceMotion& motion;
    /// Per part: keys at all times of the motion, because pinned joints have no key times of their own;
    /// empty: none.
    const std::vector<bool>& at_every_time;
};

/// Keys of the target's joints, each at the key times of the source's joints that move it. A joint that moves
/// exactly like its source keeps the source's keys bit for bit, including handles. A joint that never leaves
/// its rest has no track.
[[nodiscard]] std::vector<Track> tracks_of_motion(const TrackSources& from, const TargetMotion& motion);

}  // namespace animbridge::rig
