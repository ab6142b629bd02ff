// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>

namespace animbridge::batch {

/// The words as a file name without its ending, with a number if an earlier one is taken. Names that differ
/// in the case of A to Z alone count as one. The choice is added to `taken`.
[[nodiscard]] std::string free_stem(const std::string& words, const std::string& ending,
                                    std::set<std::string>& taken);

}  // namespace animbridge::batch
