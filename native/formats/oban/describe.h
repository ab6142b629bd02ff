// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"

/// The reports about an OBAN and a level as text. `file`: its name.
namespace animbridge::oban {

[[nodiscard]] std::string describe(const std::string& file, const Json& info);
[[nodiscard]] std::string describe_level(const std::string& file, const Json& info);
[[nodiscard]] std::string describe_poses(const Json& report);
/// A line with what the file cannot hold; empty if it holds everything.
[[nodiscard]] std::string describe_left_behind(const Json& report);

}  // namespace animbridge::oban
