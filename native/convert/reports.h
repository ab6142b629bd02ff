// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/json.h"
#include "formats/sl_anim/compare.h"
#include "formats/sl_anim/document.h"
#include "model/finding.h"

/// The JSON that the command prints, the C interface returns and the add-on shows: one answer everywhere.
namespace animbridge {

[[nodiscard]] Json findings_json(const std::vector<Finding>& findings);
[[nodiscard]] Json comparison_json(const sl_anim::Comparison& comparison);
[[nodiscard]] Json sl_pose_json(const sl_anim::Document& document, std::span<const double> times_seconds,
                                std::optional<double> stop_seconds);

}  // namespace animbridge
