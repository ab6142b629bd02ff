// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"

/// Text for the reports about an OBAN and a level. `file`: its name.
namespace animbridge::oban {

[[nodiscard]] std::string describe(const std::string& file, const Json& info);
[[nodiscard]] std::string describe_level(const std::string& file, const Json& info);
[[nodiscard]] std::string describe_poses(const Json& report);
/// A line that lists what the file cannot hold; empty if it holds everything.
[[nodiscard]] std::string describe_left_behind(const Json& report);

}  // namespace animbridge::oban
