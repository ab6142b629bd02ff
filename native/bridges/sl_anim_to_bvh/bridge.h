// SPDX-License-Identifier: MIT
#pragma once

#include "base/json/json.h"
#include "bridges/sl_anim_to_bvh/options.h"
#include "formats/bvh/file/file.h"
#include "formats/sl_anim/file/file.h"
#include "model/format/format.h"

/// Converts .anim to a BVH from which the viewer's loader makes the same motion (docs/second-life-bvh.md,
/// "Back to BVH").
namespace animbridge::sl_anim_to_bvh {

struct Converted {
    bvh::Document document;
    Json report = Json::object();  ///< from report_of
};

/// ErrorCode::rejected: the viewer refuses the .anim, or a BVH can hold none of its joints; bad_value: too
/// many frames. The root, the unit and the axes are as in the viewer's own BVH files. Frame 0 is at rest and
/// not part of the motion.
[[nodiscard]] Result<Converted> convert(const sl_anim::Document& document, const Options& options);

/// The row in the table of bridges. Its report also has "max_position_error_mm", "max_rotation_error_degrees"
/// and "worst", from measure_frames, and "after_upload", from measure_upload. ErrorCode::rejected: the
/// frames' error exceeds the options' limit.
extern const Bridge bridge;

}  // namespace animbridge::sl_anim_to_bvh
