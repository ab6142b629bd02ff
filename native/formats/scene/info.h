// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json/json.h"
#include "formats/scene/document.h"

namespace animbridge::scene {

/// The report of `info`.
[[nodiscard]] Json info(const Document& document);

/// The report of `info` as text. `file`: its name.
[[nodiscard]] std::string describe(const std::string& file, const Json& info);

/// The report of as_file_named as text; empty if the report of a conversion says the same.
[[nodiscard]] std::string describe_written(const Json& report);

}  // namespace animbridge::scene
