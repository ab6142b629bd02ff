// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "formats/mrtk/document.h"
#include "model/finding.h"

namespace animbridge::mrtk {

/// What breaks the rules of docs/mrtk-format.md: each rule once, for the first place that does;
/// Finding::count says how many do.
[[nodiscard]] std::vector<Finding> check(const Document& document, CheckLevel level);

/// What lenient reading put up with: the findings about the layout.
[[nodiscard]] std::vector<Finding> tolerated(const Document& document);

/// The table of rules.
[[nodiscard]] std::span<const Rule> rules();

}  // namespace animbridge::mrtk
