// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/format.h"
#include "formats/motion.h"

/// Converts a BVH to the neutral clip and back, for conversions without an exact bridge.
namespace animbridge::bvh {

/// Axes as in an import; the scale may be "auto" (human_scale), which is 1 without a body.
/// ErrorCode::bad_value: a position or time beyond 1e30.
[[nodiscard]] Result<ClipMade> file_to_clip(const File& file, const Json& options);

/// Has the same options, a frame rate and a limit for the file's error, measured between frames too. Without
/// a rate, the rate rises by whole multiples until the file is within the limit. The joints are the clip's
/// nodes, depth first, with positions for roots and for nodes that move. ErrorCode::bad_value: more numbers
/// than most_motion_numbers. ErrorCode::rejected: the error exceeds the limit.
[[nodiscard]] Result<Made> file_from_clip(const ClipRequest& request);

[[nodiscard]] std::span<const Option> to_clip_options();
[[nodiscard]] std::span<const Option> from_clip_options();

/// The most numbers in the frames of a file made from a clip: 400 MB.
inline constexpr double most_motion_numbers = 50e6;

}  // namespace animbridge::bvh
