// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/job.h"
#include "base/result.h"
#include "formats/mrtk/document.h"
#include "model/comparison.h"

namespace animbridge::mrtk {

/// Plays both at every key time of either and half-way between, and compares the camera, the joints and the
/// gaze; what moves along a curve also at times along it, and nearby the largest differences. Rotations are
/// those that were recorded, not those that MRTK goes through between keys. The rotation of the gaze is the
/// angle of its direction. ErrorCode::rejected where either cannot be played.
[[nodiscard]] Result<Comparison> compare(const Document& a, const Document& b, const Job& job);

/// The names of the switches, tracked or pinch, that are not always the same in both.
[[nodiscard]] std::vector<std::string> differing_switches(const Document& a, const Document& b);

}  // namespace animbridge::mrtk
