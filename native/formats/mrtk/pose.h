// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "base/json.h"
#include "base/result.h"
#include "formats/motion.h"
#include "formats/mrtk/document.h"

/// What a recording shows at given times, for reports and in bulk. Unity's space, as in the file.
namespace animbridge::mrtk {

/// The poses that have keys, the camera first: the joints of `play`.
[[nodiscard]] Result<std::vector<std::string>> played_joints(const Document& document);
/// A pose's row is {"seconds", "joints": [{"joint", "position", "rotation_wxyz", "played_rotation_wxyz"}],
/// "gaze": {"origin", "direction"} or null, "tracked_left", ...}. "rotation_wxyz" is what was recorded,
/// "played_rotation_wxyz" what MRTK hands on (ShownPose). The arrays have "rotation_wxyz" and "position", and
/// no joint has a parent. ErrorCode::rejected where the recording cannot be played.
[[nodiscard]] Result<void> play(const Document& document, std::span<const double> times_seconds,
                                std::optional<double> stop_seconds, const PoseArrays& out);

}  // namespace animbridge::mrtk
