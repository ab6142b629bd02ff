// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "reduce/reducer.h"

namespace animbridge::reduce {

struct Fitted {
    Reduced reduced;
    Bound bound;  ///< the file fits under this bound
    std::size_t bytes = 0;
};

/// Finds the smallest bound, in the ratio of `unit` and to 2 %, under which the reduced file has at most
/// `limit` bytes. With `at_least_unit`, the bound is `unit` or larger. `bytes_of` returns the size of a file
/// with only the kept keys. ErrorCode::rejected if even one key per track is too large; the message says how
/// large.
[[nodiscard]] Result<Fitted> fit(const Reducer& reducer, const Bound& unit, bool at_least_unit,
                                 std::size_t limit,
                                 const std::function<std::size_t(const std::vector<Kept>&)>& bytes_of,
                                 const Job& job);

}  // namespace animbridge::reduce
