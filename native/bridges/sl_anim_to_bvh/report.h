// SPDX-License-Identifier: MIT
#pragma once

#include "base/json/json.h"
#include "bridges/sl_anim_to_bvh/frames.h"
#include "formats/sl_anim/file/file.h"

namespace animbridge::sl_anim_to_bvh {

/// What the viewer's loader does not restore: header values other than the loader's own (as members of
/// sl_anim::edit, which restores them in the .anim), constraints, and keys between frames.
struct Lost {
    Json header = Json::object();
    Json for_good = Json::object();
};

[[nodiscard]] Lost lost_of(const sl_anim::Document& document, const Plan& plan, const Motion& motion);

/// {"frames", "frame_time_seconds", "fits_keys", "joints", "frame_0_shifted": [...], "frames_moved": {joint:
/// [frame, ...]}, "tracks_added": [...], "own_axes": [...], "left_out": [{"joint", "reason"}], "lost": {...},
/// "give_back": {...}}. Joints have their names in the BVH; those left out have their names in the .anim.
[[nodiscard]] Json report_of(const Plan& plan, const Motion& motion, const FrameGrid& grid,
                             const std::vector<bvh::Joint>& hierarchy, const Lost& lost);

}  // namespace animbridge::sl_anim_to_bvh
