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

/// What as_file_named reports, as text; empty where the report of a conversion says the same.
[[nodiscard]] std::string describe_written(const Json& report);

}  // namespace animbridge::scene
