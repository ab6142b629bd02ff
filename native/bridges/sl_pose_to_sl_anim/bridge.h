// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "formats/sl_anim/file/file.h"
#include "formats/sl_pose/play/play.h"
#include "model/format/format.h"

/// From a pose to a .anim that holds it, also over the animations that a difference pose stands on
/// (docs/poses.md, "Difference poses").
namespace animbridge::sl_pose_to_sl_anim {

/// Options: those of a pose's to_clip and of a .anim's from_clip, and "under": texts "ID=FILE". Report: that
/// of from_clip.
extern const Bridge bridge;

/// The .anim of each animation id.
using Animations = std::map<std::string, sl_anim::file::Document>;

/// A pose on its animations.
struct Composed {
    std::vector<sl_pose::play::Shown> joints;
    std::vector<std::string> unknown{};  ///< joints that add to a rotation which no animation says
};

/// The pose as the viewer puts it together: the animations at their times, layer by layer, then what is
/// mirrored, then what the file adds. ErrorCode::bad_value: an animation is missing.
[[nodiscard]] Result<Composed> composed(const sl_pose::pose::Pose& pose, const Animations& animations);

}  // namespace animbridge::sl_pose_to_sl_anim
