// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "formats/scene/document.h"
#include "model/findings/findings.h"

namespace animbridge::scene {

/// What reading tolerated, and what a conversion of the scene's motion will change.
[[nodiscard]] std::vector<Finding> check(const Document& document, CheckLevel level);

/// Only what reading tolerated.
[[nodiscard]] std::vector<Finding> tolerated(const Document& document);

[[nodiscard]] std::span<const Rule> rules();

}  // namespace animbridge::scene
