// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/job.h"
#include "formats/sl_anim/document.h"
#include "model/clip.h"
#include "model/comparison.h"

namespace animbridge::sl_anim {

/// The times at which a file's keys stand, 0 included, and half-way between neighbours: where `compare`
/// looks.
[[nodiscard]] std::vector<float> key_times_and_midpoints(const Document& document);

/// Plays both files at the union of their key times and half-way between, at full weight. Joints in the
/// skeleton's order, places in the frame of mRoot; joints that the viewer does not know count as moved by one
/// file alone. Neither may have a rejecting finding.
[[nodiscard]] Result<Comparison> compare(const Document& a, const Document& b, const Job& job);

/// How far the file, as the viewer plays it, is from the clip's tracks: at the times of all their keys.
/// Joints without a track in the clip are taken from the file, so that only what was encoded is measured.
[[nodiscard]] Result<Comparison> measure(const Clip& wanted, const Document& written, const Job& job);

}  // namespace animbridge::sl_anim
