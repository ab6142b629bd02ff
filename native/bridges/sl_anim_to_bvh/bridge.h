// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"
#include "bridges/bridge.h"
#include "bridges/sl_anim_to_bvh/options.h"
#include "formats/bvh/document.h"
#include "formats/sl_anim/document.h"

/// From .anim to a BVH that the viewer's loader makes the same motion of (docs/second-life-bvh.md, "Back to
/// BVH").
namespace animbridge::sl_anim_to_bvh {

struct Converted {
    bvh::Document document;
    Json report = Json::object();  ///< as report_of has it
};

/// ErrorCode::rejected: the viewer would refuse the .anim, or no joint of it can be in a BVH; bad_value: too
/// many frames. Hips, inches and axes are as the viewer's own BVH files have them; frame 0 is at rest, and is
/// no part of the motion.
[[nodiscard]] Result<Converted> convert(const sl_anim::Document& document, const Options& options);

/// The row of the table of bridges. Its report has also "after_upload": as measure_upload has it.
extern const Bridge bridge;

}  // namespace animbridge::sl_anim_to_bvh
