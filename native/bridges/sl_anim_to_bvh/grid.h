// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "bridges/sl_anim_to_bvh/joints.h"

/// When the frames of a BVH are, so that the viewer's loader puts its keys where the animation's are.
namespace animbridge::sl_anim_to_bvh {

/// More frames than this are an error where a rate is asked for, and no grid that is looked for.
inline constexpr std::size_t max_intervals = 7200;
/// No grid that is looked for is denser.
inline constexpr double max_frames_per_second = 120.0;
/// Where no grid fits the keys, and where an animation has no length.
inline constexpr double usual_frames_per_second = 30.0;

/// Frame 0 is the loader's reference and has no time.
struct FrameGrid {
    double frame_time_seconds = 0;
    bool fits_keys = false;  ///< every key is as near to a frame as time codes tell
    /// Clip times of frames 1, 2, ...: where the viewer plays the loader's keys. Ascending, the first 0, the
    /// last the duration (but for the last bit of a float). One alone where the animation has no length.
    std::vector<float> times_seconds{};
};

/// The clip time at which a key for the frame at `seconds` is: that of a key nearby where the grid fits, else
/// `seconds`. `times`: the played key times of a track.
[[nodiscard]] float time_of_key(const std::vector<float>& times, float seconds, const FrameGrid& grid);

/// The coarsest grid that fits all keys of the planned joints, else 30 frames a second; or the rate asked
/// for, as near as a whole number of frames over the duration comes to it. An error: more than max_intervals.
[[nodiscard]] Result<FrameGrid> frame_grid(const Plan& plan, float duration_seconds,
                                           std::optional<double> frames_per_second);

}  // namespace animbridge::sl_anim_to_bvh
