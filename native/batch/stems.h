// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace animbridge::batch {

/// The names of some files in lower case, without their ending, and how far the numbers of each have got.
struct TakenStems {
    std::set<std::string> names{};
    std::map<std::string, std::size_t> numbers{};
};

/// The words as a file name without its ending, with a number if an earlier one is taken. Names that differ
/// in the case of A to Z alone count as one. The choice is added to `taken`.
[[nodiscard]] std::string free_stem(const std::string& words, const std::string& ending, TakenStems& taken);

}  // namespace animbridge::batch
