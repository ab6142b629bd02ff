// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/job.h"
#include "base/result.h"
#include "formats/mrtk/document.h"
#include "model/comparison.h"

namespace animbridge::mrtk {

/// Plays both at every key time of either and at the midpoints, and compares the camera, the joints and the
/// gaze; if a curve moves one, also at times along the curve, and near the largest differences. Rotations are
/// those that were recorded, not what MRTK shows between keys. The rotation of the gaze is the angle of its
/// direction. ErrorCode::rejected if either cannot be played.
[[nodiscard]] Result<Comparison> compare(const Document& a, const Document& b, const Job& job);

/// The names of the switches, tracked or pinch, that differ at any time.
[[nodiscard]] std::vector<std::string> differing_switches(const Document& a, const Document& b);

}  // namespace animbridge::mrtk
