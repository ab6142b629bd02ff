// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"

namespace animbridge::cli {

[[nodiscard]] std::string oban_level_info_text(const std::string& file, const Json& report);
[[nodiscard]] std::string oban_extract_text(const Json& report);

}  // namespace animbridge::cli
