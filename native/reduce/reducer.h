// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/job.h"
#include "base/result.h"
#include "reduce/bound.h"
#include "reduce/tracks.h"

namespace animbridge::reduce {

/// The largest errors, and where.
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
    std::size_t keys_before = 0;  ///< of the tracks that may lose keys
    std::size_t keys_after = 0;
    Errors errors;
    bool holds = true;             ///< false: at some times even all keys miss the bound, by the codes' steps
    std::uint64_t operations = 0;  ///< looks at one track at one time: what bounds the work
};

/// Drops keys within a bound that is checked, not hoped for: the kept keys are played as the program plays
/// them at every time, and where the bound is broken keys are put back until it holds or all are there.
/// Deterministic.
class Reducer {
public:
    /// `times`: ascending seconds; the bound must hold at each.
    Reducer(const Motion& motion, std::vector<float> times);

    [[nodiscard]] Result<Reduced> within(const Bound& bound, const Job& job) const;

private:
    [[nodiscard]] std::vector<Kept> seed(const Bound& bound, std::uint64_t& operations) const;

    Motion motion_;
    std::vector<float> times_;
    std::vector<double> reaches_;  ///< per node how far the farthest thing is that it swings, at rest
};

}  // namespace animbridge::reduce
