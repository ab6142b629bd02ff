// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"
#include "bridges/sl_anim_to_bvh/frames.h"
#include "formats/sl_anim/document.h"

namespace animbridge::sl_anim_to_bvh {

/// What the viewer's loader would not give back of the file: header values that are not the loader's own (the
/// members of sl_anim::edit, which puts them into the .anim again), constraints, keys between frames.
struct Lost {
    Json header = Json::object();
    Json for_good = Json::object();
};

[[nodiscard]] Lost lost_of(const sl_anim::Document& document, const Plan& plan, const Motion& motion);

/// {"frames", "frame_time_seconds", "fits_keys", "joints", "frame_0_shifted": [...],
/// "frames_moved": {joint: [frame, ...]}, "tracks_added": [...],
/// "own_axes": [...], "left_out": [{"joint", "reason"}], "lost": {...}, "give_back": {...}}: joints by the
/// names that the BVH has for them, those left out as in the .anim.
[[nodiscard]] Json report_of(const Plan& plan, const Motion& motion, const FrameGrid& grid,
                             const std::vector<bvh::Joint>& hierarchy, const Lost& lost);

}  // namespace animbridge::sl_anim_to_bvh
