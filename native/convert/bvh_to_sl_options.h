// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"
#include "formats/sl_anim/bvh_loader.h"

namespace animbridge {

/// The options of the way from BVH to .anim as JSON: {"loader": "current" or "pre2022", "priority": 0..6,
/// "joint_priorities": {"mHead": -1..6}, "loop": true, "loop_in" and "loop_out": seconds or "20%", "ease_in"
/// and "ease_out": seconds, "hand_pose": 0..13, "emote": text, "reduce_keys", "keep_all_joints",
/// "reference_frame": true or false, "anim_ini": the file's text}, all optional. Other members and values are
/// errors that say what is allowed.
[[nodiscard]] Result<sl_anim::BvhLoad> bvh_load_from_json(const Json& options);

}  // namespace animbridge
