// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/scanner.h"

namespace animbridge::bvh {

/// From the word HIERARCHY to behind the word MOTION, or to the end of a text that has none.
[[nodiscard]] Result<std::vector<Joint>> read_hierarchy(Scanner& scanner);

}  // namespace animbridge::bvh
