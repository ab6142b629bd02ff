// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/job.h"
#include "base/result.h"
#include "reduce/bound.h"
#include "reduce/tracks.h"

namespace animbridge::reduce {

/// The largest errors, with joint and time.
struct Errors {
    double position_mm = 0;
    std::string position_joint{};
    double position_at_seconds = 0;
    double rotation_degrees = 0;
    std::string rotation_joint{};
    double rotation_at_seconds = 0;
};

struct Reduced {
    std::vector<Kept> kept;       ///< per track
    std::size_t keys_before = 0;  ///< of the tracks whose keys may be dropped
    std::size_t keys_after = 0;
    Errors errors;
    bool holds = true;             ///< false: even all keys miss the bound, for lack of precision
    std::uint64_t operations = 0;  ///< evaluations of one track at one time: the measure of the work
};

/// Drops keys within a bound, and verifies it: plays the kept keys as the program does at every time, and
/// puts keys back where they miss the bound, until it holds or all keys are back. Deterministic.
class Reducer {
public:
    /// `times`: ascending seconds at which the bound must hold. The motion's parts must outlive this.
    Reducer(const Motion& motion, std::vector<float> times);

    [[nodiscard]] Result<Reduced> within(const Bound& bound, const Job& job) const;

private:
    [[nodiscard]] std::vector<Kept> seed(const Bound& bound, std::uint64_t& operations) const;

    Motion motion_;
    std::vector<float> times_;
    std::vector<double> reaches_;  ///< per node metres to its farthest counted descendant at rest
};

}  // namespace animbridge::reduce
