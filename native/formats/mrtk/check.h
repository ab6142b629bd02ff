// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "formats/mrtk/document.h"
#include "model/finding.h"

namespace animbridge::mrtk {

/// Findings by the rules of docs/mrtk-format.md: each rule once, for the first place that breaks it;
/// Finding::count says how many do.
[[nodiscard]] std::vector<Finding> check(const Document& document, CheckLevel level);

/// Only the findings about the layout, which lenient reading accepted.
[[nodiscard]] std::vector<Finding> tolerated(const Document& document);

/// The table of rules.
[[nodiscard]] std::span<const Rule> rules();

}  // namespace animbridge::mrtk
