// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/job.h"
#include "formats/sl_anim/document.h"
#include "model/clip.h"

namespace animbridge::sl_anim {

/// How far a joint is from where it should be, at worst.
struct JointDifference {
    std::string joint;
    double position_mm = 0;  ///< of the joint's place in the frame of mRoot
    double position_at_seconds = 0;
    double rotation_degrees = 0;  ///< of the local rotation
    double rotation_at_seconds = 0;
};

struct Comparison {
    std::vector<JointDifference>
        joints;  ///< those that either file moves, or whose place differs; skeleton order
    std::vector<std::string>
        only_in_a;  ///< joints that one file moves and the other does not, unknown ones included
    std::vector<std::string> only_in_b;
    std::size_t times = 0;  ///< how many clip times were looked at

    /// The largest differences of all joints; a default one when there is none.
    [[nodiscard]] JointDifference worst() const;
};

/// The times at which a file's keys stand, 0 included, and half-way between neighbours: where `compare`
/// looks.
[[nodiscard]] std::vector<float> key_times_and_midpoints(const Document& document);

/// Plays both files at the union of their key times and half-way between, at full weight. Neither may have a
/// rejecting finding.
[[nodiscard]] Result<Comparison> compare(const Document& a, const Document& b, const Job& job);

/// How far the file, as the viewer plays it, is from the clip's tracks: at the times of all their keys.
/// Joints without a track in the clip are taken from the file, so that only what was encoded is measured.
[[nodiscard]] Result<Comparison> measure(const Clip& wanted, const Document& written, const Job& job);

}  // namespace animbridge::sl_anim
