// SPDX-License-Identifier: MIT
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "formats/bvh/file/file.h"
#include "formats/sl_anim/file/file.h"
#include "model/compare/compare.h"

namespace animbridge::sl_anim_to_bvh {

/// How far the motion that the viewer's loader makes from the BVH is from the animation, at the keys of both
/// and at the midpoints: {"rotation_degrees", "rotation_joint", "rotation_at_seconds" (local rotations),
/// "position_mm", "position_joint", "position_at_seconds" (positions on the avatar), "joints_lost": joints
/// that no longer move, "times": how many were compared}. `document` must not have a finding of class
/// *rejected*.
[[nodiscard]] Result<Json> measure_upload(const sl_anim::Document& document, ByteView written);

/// How far the frames, and the motion between them, are from the animation, at its keys, at the frames and at
/// the midpoints, but not where the animation jumps within a frame. Joints that a BVH cannot hold do not
/// count. `made`: the content of `written`.
[[nodiscard]] Result<WorstDifference> measure_frames(const sl_anim::Document& document,
                                                     const bvh::Document& made, ByteView written);

}  // namespace animbridge::sl_anim_to_bvh
