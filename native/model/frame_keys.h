// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "model/clip.h"

namespace animbridge {

/// What happens to tracks that bend between few keys.
enum class Bends : std::uint8_t { keep, sample };

/// How a clip was sampled.
struct FrameKeys {
    double frames_per_second = 0;           ///< 0: no track was sampled
    bool is_baked = false;                  ///< the source has a key at each of these frames
    double max_position_error_mm = 0;       ///< between the frames, of a joint in clip space; 0 where baked
    double max_rotation_error_degrees = 0;  ///< the same of its own rotation
};

/// Samples the tracks of the pose that have more keys than frames, and with Bends::sample those that bend, so
/// that they have linear keys at frames alone. Tracks with steps or with numbers keyed by themselves stay,
/// and so do both keys of a jump. The rate is the highest at which nearly every track has a key at each
/// frame, of the multiples of frame_rate_of and the usual rates; else the lowest multiple, to 240 a second,
/// that shows the motion within 0.5 mm and 0.05 degrees. Where none does, or the clip
/// lasts more than an hour, all tracks stay. Sets the clip's
/// frames_per_second to that at which the source was recorded, or else to frame_rate_of.
FrameKeys sample_at_frames(Clip& clip, Bends bends);

}  // namespace animbridge
