// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"

namespace animbridge::mrtk {

/// The report of `info` on the named file, as text for people.
[[nodiscard]] std::string describe(const std::string& file, const Json& info);

/// The report of `pose`, as text for people.
[[nodiscard]] std::string describe_poses(const Json& report);

}  // namespace animbridge::mrtk
