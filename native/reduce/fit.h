// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "reduce/reducer.h"

namespace animbridge::reduce {

struct Fitted {
    Reduced reduced;
    Bound bound;  ///< the one under which it fits
    std::size_t bytes = 0;
};

/// Reduces to at most `limit` bytes under the smallest bound, in the ratio of `unit` (to two per cent); not
/// under a smaller one than `unit` when `at_least_unit`. `bytes_of` says how large a file counts that has
/// only the kept keys. ErrorCode::rejected when even one key per track does not fit, with how many bytes
/// that are.
[[nodiscard]] Result<Fitted> fit(const Reducer& reducer, const Bound& unit, bool at_least_unit,
                                 std::size_t limit,
                                 const std::function<std::size_t(const std::vector<Kept>&)>& bytes_of,
                                 const Job& job);

}  // namespace animbridge::reduce
