// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"
#include "formats/scene/document.h"

namespace animbridge::scene {

/// What `info` reports.
[[nodiscard]] Json info(const Document& document);

/// The same as text. `file`: its name.
[[nodiscard]] std::string describe(const std::string& file, const Json& info);

}  // namespace animbridge::scene
