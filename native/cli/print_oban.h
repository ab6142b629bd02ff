// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"

/// The reports of an OBAN as a person reads them.
namespace animbridge::cli {

[[nodiscard]] std::string oban_info_text(const std::string& file, const Json& report);
[[nodiscard]] std::string oban_pose_text(const Json& report);
/// What a conversion left behind; empty when nothing.
[[nodiscard]] std::string left_behind_text(const Json& report);

}  // namespace animbridge::cli
