// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"

namespace animbridge::sl_anim {

/// What info says of a .anim, as a person reads it. `file`: its name.
[[nodiscard]] std::string describe(const std::string& file, const Json& info);

}  // namespace animbridge::sl_anim
