// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"
#include "base/json.h"
#include "base/result.h"
#include "formats/sl_anim/document.h"

namespace animbridge::sl_anim_to_bvh {

/// How far the motion that the viewer's loader makes of the BVH is from the animation, at the keys of both
/// and half-way between: {"rotation_degrees", "rotation_joint", "rotation_at_seconds" (local rotations),
/// "position_mm", "position_joint", "position_at_seconds" (positions on the avatar), "joints_lost": joints
/// that no longer move, "times": how many were compared}. `document` must not have a finding of class
/// *rejected*.
[[nodiscard]] Result<Json> measure_upload(const sl_anim::Document& document, ByteView written);

}  // namespace animbridge::sl_anim_to_bvh
