// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "formats/bvh/document.h"
#include "model/finding.h"

namespace animbridge::bvh {

/// The reader's notes by line, then the findings about the document, each rule once.
[[nodiscard]] std::vector<Finding> check(const Document& document, CheckLevel level);

/// Only the reader's notes, as findings.
[[nodiscard]] std::vector<Finding> tolerated(const Document& document);

}  // namespace animbridge::bvh
