// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace animbridge::batch {

/// Names of files in lower case, without their ending, and the last number that each name used.
struct TakenStems {
    std::set<std::string> names{};
    std::map<std::string, std::size_t> numbers{};
};

/// The words as a file name without its ending, with a number if it is already taken. Names that differ only
/// in the case of A to Z count as equal. Adds the result to `taken`.
[[nodiscard]] std::string free_stem(const std::string& words, const std::string& ending, TakenStems& taken);

}  // namespace animbridge::batch
