// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/option.h"
#include "formats/motion.h"
#include "formats/mrtk/document.h"

/// A recording as the neutral clip and back: what the format's row has for conversions without an exact
/// bridge.
namespace animbridge::mrtk {

/// A node without a parent for each pose that has keys ("Camera", "L_Wrist", ...), and "Gaze" and
/// "GazeDirection", which is moved by the direction. Each number has a track of its own with the file's keys;
/// tracked and pinch are properties ("tracked_left"). Quaternions get continuous signs unless "raw_signs" is
/// true. ErrorCode::rejected where the recording cannot be played.
[[nodiscard]] Result<ClipMade> document_to_clip(const Document& document, const Json& options);
[[nodiscard]] std::span<const Option> to_clip_options();

/// A recording of the nodes that have the names above. Keys of nodes without a parent stay as they are;
/// others are sampled. "version": "1.0" or "1.1"; without it, 1.0 if a curve is not made of lines, else 1.1.
/// ErrorCode::invalid_argument: no node has such a name.
[[nodiscard]] Result<Made> document_from_clip(const ClipRequest& request);
[[nodiscard]] std::span<const Option> from_clip_options();

}  // namespace animbridge::mrtk
