// SPDX-License-Identifier: MIT
#pragma once

#include "base/job.h"
#include "reduce/pose_pass.h"
#include "reduce/reducer.h"

namespace animbridge::reduce {

/// Puts keys back until the bound holds at every time, or until the tracks that could mend it have all their
/// keys there. Of the tracks that move a joint away, the one that does most gets the key, nearest to the time
/// of the largest error in the gap. `operations` counts looks at one track at one time. The rounds are
/// limited: after `rounds_of_single_keys` each broken time gets all keys about it, and after twice as many
/// everything is put back.
[[nodiscard]] Result<void> put_keys_back(const Motion& motion, const std::vector<float>& times,
                                         const Bound& bound, std::vector<Kept>& kept, const Job& job,
                                         std::uint64_t& operations);

inline constexpr int rounds_of_single_keys = 24;

/// Plays the kept keys at every time.
[[nodiscard]] Result<Errors> largest_errors(const Motion& motion, const std::vector<float>& times,
                                            const std::vector<Kept>& kept, const Job& job);

}  // namespace animbridge::reduce
