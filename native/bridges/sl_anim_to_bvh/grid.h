// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "base/base.h"
#include "bridges/sl_anim_to_bvh/joints.h"

/// Finds frame times for which the viewer's loader puts its keys at the animation's keys.
namespace animbridge::sl_anim_to_bvh {

/// The most frames: a requested rate that needs more is an error, and a search does not try more.
inline constexpr std::size_t max_intervals = 7200;
/// A search does not try denser grids.
inline constexpr double max_frames_per_second = 120.0;
/// The rate if no grid fits the keys, and for an animation without length.
inline constexpr double usual_frames_per_second = 30.0;

/// The times of the frames. Frame 0 is the loader's reference and has no time.
struct FrameGrid {
    double frame_time_seconds = 0;
    bool fits_keys = false;  ///< every key is as near to a frame as time codes resolve
    /// Clip times of frames 1, 2, ..., at which the viewer plays the loader's keys. Ascending from 0 to the
    /// duration (except for a float's last bit); only one if the animation has no length.
    std::vector<float> times_seconds{};
};

/// The clip time of a key for the frame at `seconds`: a nearby key's time if the grid fits, else `seconds`.
/// `times`: the played key times of a track.
[[nodiscard]] float time_of_key(const std::vector<float>& times, float seconds, const FrameGrid& grid);

/// The coarsest grid that fits all keys of the planned joints, or else 30 frames per second. If a rate is
/// requested, the nearest one with a whole number of frames over the duration. Error: more than
/// max_intervals.
[[nodiscard]] Result<FrameGrid> frame_grid(const Plan& plan, float duration_seconds,
                                           std::optional<double> frames_per_second);

}  // namespace animbridge::sl_anim_to_bvh
