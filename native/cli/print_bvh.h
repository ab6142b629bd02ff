// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"

namespace animbridge::cli {

/// What info says of a BVH, as a person reads it.
[[nodiscard]] std::string bvh_info_text(const std::string& file, const Json& report);

}  // namespace animbridge::cli
