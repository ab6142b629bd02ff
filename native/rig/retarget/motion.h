// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "base/base.h"
#include "model/clip/clip.h"

namespace animbridge::rig {

/// The source's joints in clip space at all times at which one of them has a key.
struct SourceMotion {
    std::vector<double> times;           ///< ascending; at least one
    std::vector<std::size_t> column_of;  ///< per node of the skeleton; set only for recorded nodes
    std::size_t width = 0;               ///< number of recorded nodes
    std::vector<Transform> world;        ///< a row of `width` for each time

    [[nodiscard]] const Transform& at(std::size_t frame, std::size_t node) const {
        return world[frame * width + column_of[node]];
    }
};

/// Plays the clip, whose tracks are linear rows, at the key times of `nodes` and of their ancestors. Adds
/// times so that two are at most `most_seconds_apart` apart, or more in a clip that is very long for its
/// keys. ErrorCode::cancelled if the job's caller cancels.
[[nodiscard]] Result<SourceMotion> record_motion(const Clip& clip, const std::vector<std::size_t>& nodes,
                                                 double most_seconds_apart, const Job& job);

/// The key times of some tracks as one ascending list. If only some of them hold their values between keys,
/// each jump of these gets a time just before it, so that lines between the keys show the jump.
[[nodiscard]] std::vector<double> union_of_key_times(const std::vector<const Track*>& tracks);

/// Whether every track holds its values between keys.
[[nodiscard]] bool all_hold(const std::vector<const Track*>& tracks);

}  // namespace animbridge::rig
