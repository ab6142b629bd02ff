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

/// The joints that the options choose, which are those of to_clip_options. An error as to_clip gives it.
struct Chosen {
    pose::Pose pose;
    std::vector<play::Shown> joints;
    std::vector<std::string> warnings{};  ///< sentences
};
[[nodiscard]] Result<Chosen> chosen(const file::Document& document, const Json& options);

/// Whether the joint is posed: it is not left to animations, nor only stored, nor turned as nobody set it.
[[nodiscard]] bool is_posed(const pose::Pose& pose, const play::Shown& joint);

/// The joints that are posed, as a clip that holds them, without scales.
[[nodiscard]] Clip clip_of(const pose::Pose& pose, std::span<const play::Shown> joints);

/// The same, and what it leaves out.
[[nodiscard]] ClipMade held(const pose::Pose& pose, std::span<const play::Shown> joints);

/// How far a document is from what it was made of. `worst` has no times.
[[nodiscard]] WorstDifference errors_of(std::span<const play::Shown> wanted, const file::Document& document);

/// The clip at one time, as the viewer saves it. The report has "joints", "left_out", and how far the file is
/// off: "max_position_error_mm" and "max_rotation_error_degrees".
[[nodiscard]] Result<Made> from_clip(const ClipRequest& request);
[[nodiscard]] std::span<const Option> from_clip_options();

}  // namespace animbridge::sl_pose::clip
