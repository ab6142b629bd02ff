// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/scanner.h"

namespace animbridge::bvh {

/// Reads from after the word MOTION to the end of the text, into a document that has its joints.
[[nodiscard]] Result<void> read_motion(Scanner& scanner, Document& document);

}  // namespace animbridge::bvh
