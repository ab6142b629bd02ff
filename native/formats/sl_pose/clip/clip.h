// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/options/options.h"
#include "formats/sl_pose/play/play.h"
#include "rig/exchange/exchange.h"

/// A pose as a clip that holds it, and a moment of any clip as a pose.
namespace animbridge::sl_pose::clip {

/// A held pose lasts this long; its length means nothing.
inline constexpr double held_seconds = 1.0;

/// A key at 0 for each rotation that the poser holds, and for each position off its rest. Markers: loop_in,
/// loop_out. Scales are left out, with how far they would have moved other joints. ErrorCode::rejected: it is
/// a difference pose, and the options do not ask for it on the T-pose.
[[nodiscard]] Result<ClipMade> to_clip(const file::Document& document, const Json& options);
[[nodiscard]] std::span<const Option> to_clip_options();

/// These joints of the pose as a clip that holds them.
[[nodiscard]] ClipMade held(const pose::Pose& pose, std::span<const play::Shown> joints);

/// Whether most joints that move have names of the avatar, and rest as its joints do.
[[nodiscard]] bool takes(const Clip& clip);

/// The clip at one time, as the viewer saves it. The report has "joints", "left_out", and how far the file is
/// off: "max_position_error_mm" and "max_rotation_error_degrees".
[[nodiscard]] Result<Made> from_clip(const ClipRequest& request);
[[nodiscard]] std::span<const Option> from_clip_options();

}  // namespace animbridge::sl_pose::clip
