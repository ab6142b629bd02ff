// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/base.h"
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
    std::size_t keys_before = 0;  ///< in the tracks whose keys may be dropped
    std::size_t keys_after = 0;
    Errors errors;
    bool holds = true;  ///< false: the bound does not hold even with all keys, for lack of precision
    std::uint64_t operations = 0;  ///< evaluations of one track at one time: a measure of the work
};

/// Drops keys within a bound and verifies the result: plays the kept keys like the program, at every time,
/// and puts keys back until the bound holds or all keys are back. Deterministic.
class Reducer {
public:
    /// `times`: ascending seconds at which the bound must hold. The parts of `motion` must outlive this.
    Reducer(const Motion& motion, std::vector<float> times);

    [[nodiscard]] Result<Reduced> within(const Bound& bound, const Job& job) const;

private:
    [[nodiscard]] std::vector<Kept> seed(const Bound& bound, std::uint64_t& operations) const;

    Motion motion_;
    std::vector<float> times_;
    std::vector<double> reaches_;  ///< per node: metres to its farthest counted descendant at rest
};

}  // namespace animbridge::reduce
