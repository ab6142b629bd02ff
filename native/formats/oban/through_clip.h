// SPDX-License-Identifier: MIT
#pragma once

#include "formats/motion.h"
#include "formats/oban/format.h"

/// An OBAN as the neutral clip and back: what the format's row has for conversions without an exact bridge.
namespace animbridge::oban {

/// "camera": whether what moves is a camera. One node moves, and where Base turns or moves the object, a
/// second one rests below it. Axes are Blender's. ErrorCode::rejected where the record cannot be played.
[[nodiscard]] Result<ClipMade> file_to_clip(const File& file, const Json& options);

/// "joint": whose motion it is, for clips whose joints are more than one chain. ErrorCode::bad_value:
/// there is no such joint, or more frames than an OBAN has. ErrorCode::invalid_argument: none is named and
/// there are several chains.
[[nodiscard]] Result<Made> file_from_clip(const ClipRequest& request);
[[nodiscard]] std::span<const Option> to_clip_options();
[[nodiscard]] std::span<const Option> from_clip_options();

}  // namespace animbridge::oban
