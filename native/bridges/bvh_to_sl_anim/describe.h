// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"

namespace animbridge::bvh_to_sl_anim {

/// What was dropped, held or warned of, and why an upload would be refused, as a person reads it.
[[nodiscard]] std::string describe(const Json& report, const Json& give_back);

}  // namespace animbridge::bvh_to_sl_anim
