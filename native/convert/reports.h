// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "formats/bvh/document.h"
#include "formats/sl_anim/document.h"
#include "model/comparison.h"
#include "model/finding.h"

/// The JSON that the command prints, the C interface returns and the add-on shows: one answer everywhere.
namespace animbridge {

[[nodiscard]] Json findings_json(const std::vector<Finding>& findings);
[[nodiscard]] Json comparison_json(const Comparison& comparison);
[[nodiscard]] Json sl_pose_json(const sl_anim::Document& document, std::span<const double> times_seconds,
                                std::optional<double> stop_seconds);
/// As sl_pose_json, of joints along the file's axes and in its unit. Between frames the pose goes on
/// straight; a file without time between its frames plays one a second.
[[nodiscard]] Result<Json> bvh_pose_json(const bvh::Document& document,
                                         std::span<const double> times_seconds);

}  // namespace animbridge
