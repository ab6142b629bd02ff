// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/job.h"
#include "formats/sl_anim/document.h"
#include "model/clip.h"
#include "model/comparison.h"

namespace animbridge::sl_anim {

/// Where `compare` looks: 0, the file's key times, and half-way between neighbours.
[[nodiscard]] std::vector<float> key_times_and_midpoints(const Document& document);

/// Plays both files at all their key times and half-way between, at full weight. Joints are in skeleton
/// order, positions in the frame of mRoot. Counts counted_joints() of both files' tracks. Joints that the
/// viewer does not know are not measured; one that only one file has is listed as such. Neither file may have
/// a finding of class *rejected*.
[[nodiscard]] Result<Comparison> compare(const Document& a, const Document& b, const Job& job);

/// The same at these times, which ascend.
[[nodiscard]] Result<Comparison> compare_at(const Document& a, const Document& b,
                                            const std::vector<float>& times_seconds, const Job& job);

/// How far a file is from what it was made of.
struct Measured {
    WorstDifference worst{};  ///< without an error: of the first joint that counts
    /// The joints and the times of the largest errors that the steps in which the file holds times do
    /// not explain: each pose is compared at the two times beside it that the file can hold, too.
    WorstDifference at_held_times{};
};

/// How far the file, as the viewer plays it, is from the clip's tracks, at the times of all their keys.
/// Counts counted_joints() of the tracks of both. Joints without a track in the clip take their pose from the
/// file, so that only what was encoded is measured.
[[nodiscard]] Result<Measured> measure(const Clip& wanted, const Document& written, const Job& job);

}  // namespace animbridge::sl_anim
