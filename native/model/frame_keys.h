// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "model/clip.h"

namespace animbridge {

/// What to do with tracks that bend between few keys.
enum class Bends : std::uint8_t { keep, sample };

/// How a clip was sampled.
struct FrameKeys {
    double frames_per_second = 0;           ///< 0: no track was sampled
    bool is_baked = false;                  ///< the source has a key at each of these frames
    double max_position_error_mm = 0;       ///< between the frames, for a joint in clip space; 0 if baked
    double max_rotation_error_degrees = 0;  ///< between the frames, for a joint's own rotation; 0 if baked
};

/// Samples the pose's tracks that have more keys than frames, and with Bends::sample those that bend, so that
/// they have linear keys only at frames. Tracks with steps, or with separately keyed numbers, stay, and so do
/// both keys of a jump. The rate is the highest multiple of frame_rate_of, or usual rate, at which nearly
/// every track has a key at each frame; else the lowest multiple, up to 240 per second, that shows the motion
/// within 0.5 mm and 0.05 degrees. If there is none, or the clip lasts more than an hour, all tracks stay.
/// Sets the clip's frames_per_second to the rate at which the source was recorded, or else to frame_rate_of.
FrameKeys sample_at_frames(Clip& clip, Bends bends);

}  // namespace animbridge
