// SPDX-License-Identifier: MIT
#include "formats/bvh/pose.h"

#include "formats/bvh/clip.h"
#include "formats/clip_pose.h"

namespace animbridge::bvh {

Result<Clip> clip_to_pose(const Document& document) {
    const double frame_seconds = document.frame_time_seconds > 0.0 ? document.frame_time_seconds : 1.0;
    return to_clip(document, {}, frame_seconds);
}

Result<Json> pose_json(const Document& document, std::span<const double> times_seconds) {
    return clip_to_pose(document).map([&](const Clip& clip) { return clip_pose_json(clip, times_seconds); });
}

}  // namespace animbridge::bvh
