// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/job.h"
#include "formats/sl_anim/document.h"
#include "model/clip.h"
#include "model/comparison.h"

namespace animbridge::sl_anim {

/// The times that `compare` samples: 0, the file's key times, and the midpoints between neighbours.
[[nodiscard]] std::vector<float> key_times_and_midpoints(const Document& document);

/// Plays both files at full weight, at all their key times and at the midpoints between them. Joints are in
/// skeleton order, positions in the frame of mRoot. Counts counted_joints() of both files' tracks. Joints
/// that the viewer does not know are not measured; a joint that only one file has is listed as such. Neither
/// file may have a finding of class *rejected*.
[[nodiscard]] Result<Comparison> compare(const Document& a, const Document& b, const Job& job);

/// Like compare, at `times_seconds`, which ascend.
[[nodiscard]] Result<Comparison> compare_at(const Document& a, const Document& b,
                                            const std::vector<float>& times_seconds, const Job& job);

/// How far a file is from the clip that it was made from.
struct Measured {
    WorstDifference worst{};  ///< if there is no error, it names the first joint that counts
    /// The largest errors, with their joints and times, that are not due to the steps in which the file
    /// stores times: each pose is also compared at the two nearest times that the file can store.
    WorstDifference at_held_times{};
};

/// How far the file, as the viewer plays it, is from the clip's tracks, at the times of all their keys.
/// Counts counted_joints() of the tracks of both. Joints without a track in the clip take their pose from the
/// file, so that only encoded tracks are measured.
[[nodiscard]] Result<Measured> measure(const Clip& wanted, const Document& written, const Job& job);

}  // namespace animbridge::sl_anim
