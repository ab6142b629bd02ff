// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"

namespace animbridge::mrtk {

/// What `info` says about the named file, for people.
[[nodiscard]] std::string describe(const std::string& file, const Json& info);

/// What `pose` says, for people.
[[nodiscard]] std::string describe_poses(const Json& report);

}  // namespace animbridge::mrtk
