// SPDX-License-Identifier: MIT
#pragma once

#include "base/base.h"
#include "reduce/pose_pass.h"
#include "reduce/reducer.h"

namespace animbridge::reduce {

/// Puts keys back until the bound holds at every time, or until the tracks that could repair it have all
/// their keys. Among the tracks that displace a joint, the one with the largest effect gets a key: the one
/// nearest to the time of the largest error in the gap. `operations` counts evaluations of one track at one
/// time. The number of rounds is limited: after `rounds_of_single_keys`, each failing time gets all keys
/// around it; after twice as many, all keys are put back.
[[nodiscard]] Result<void> put_keys_back(const Motion& motion, const std::vector<float>& times,
                                         const Bound& bound, std::vector<Kept>& kept, const Job& job,
                                         std::uint64_t& operations);

inline constexpr int rounds_of_single_keys = 24;

/// Plays the kept keys at every time and measures the errors.
[[nodiscard]] Result<Errors> largest_errors(const Motion& motion, const std::vector<float>& times,
                                            const std::vector<Kept>& kept, const Job& job);

}  // namespace animbridge::reduce
