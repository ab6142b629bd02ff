// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/format.h"
#include "formats/motion.h"

/// A BVH as the neutral clip and back: what the format's row has for conversions without an exact bridge.
namespace animbridge::bvh {

/// Axes as for an import; the scale may be "auto" (human_scale), which without a body is 1.
/// ErrorCode::bad_value: a place or time beyond 1e30.
[[nodiscard]] Result<ClipMade> file_to_clip(const File& file, const Json& options);

/// The same options, the frame rate and how far the file may be off, measured between frames too. Without a
/// rate, it rises by whole multiples until the file is within that. The joints are the clip's nodes, depth
/// first, with positions for roots and for nodes that move. ErrorCode::bad_value: more numbers than
/// most_motion_numbers. ErrorCode::rejected: it is too far off.
[[nodiscard]] Result<Made> file_from_clip(const ClipRequest& request);

[[nodiscard]] std::span<const Option> to_clip_options();
[[nodiscard]] std::span<const Option> from_clip_options();

/// How many numbers the frames of a file made of a clip may have: 400 MB of them.
inline constexpr double most_motion_numbers = 50e6;

}  // namespace animbridge::bvh
