// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/scanner.h"

namespace animbridge::bvh {

/// From behind the word MOTION to the end of the text, into a document whose joints are known.
[[nodiscard]] Result<void> read_motion(Scanner& scanner, Document& document);

}  // namespace animbridge::bvh
