// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"

namespace animbridge::bvh {

/// The report of `info` on a BVH, as text. `file`: its name.
[[nodiscard]] std::string describe(const std::string& file, const Json& info);

}  // namespace animbridge::bvh
