// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"
#include "base/json.h"
#include "base/result.h"
#include "formats/sl_anim/document.h"

namespace animbridge::sl_anim_to_bvh {

/// How far what the viewer's loader makes of the BVH plays from the animation, at the keys of both and
/// half-way between: {"rotation_degrees", "rotation_joint", "rotation_at_seconds" (the local rotation),
/// "position_mm", "position_joint", "position_at_seconds" (the place on the avatar), "joints_lost": what it
/// does not move any more, "times": how many were looked at}. `document` without a rejecting finding.
[[nodiscard]] Result<Json> measure_upload(const sl_anim::Document& document, ByteView written);

}  // namespace animbridge::sl_anim_to_bvh
