// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"

/// The reports of an OBAN and of a level as a person reads them. `file`: its name.
namespace animbridge::oban {

[[nodiscard]] std::string describe(const std::string& file, const Json& info);
[[nodiscard]] std::string describe_level(const std::string& file, const Json& info);
[[nodiscard]] std::string describe_poses(const Json& report);
/// What a file could not take along; empty when nothing.
[[nodiscard]] std::string describe_left_behind(const Json& report);

}  // namespace animbridge::oban
