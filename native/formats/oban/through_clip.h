// SPDX-License-Identifier: MIT
#pragma once

#include "formats/motion.h"
#include "formats/oban/format.h"

/// Converts an OBAN to the neutral clip and back, for conversions without an exact bridge.
namespace animbridge::oban {

/// "camera": whether the moving object is a camera. One node moves; if Base turns or moves the object, a
/// second one rests below it. Axes are Blender's. ErrorCode::rejected if the record cannot be played.
[[nodiscard]] Result<ClipMade> file_to_clip(const File& file, const Json& options);

/// "joint": the joint whose motion to use, for clips with more than one chain. ErrorCode::bad_value: there is
/// no such joint, or there are more frames than an OBAN can have. ErrorCode::invalid_argument: no joint is
/// named and there are several chains.
[[nodiscard]] Result<Made> file_from_clip(const ClipRequest& request);
[[nodiscard]] std::span<const Option> to_clip_options();
[[nodiscard]] std::span<const Option> from_clip_options();

}  // namespace animbridge::oban
