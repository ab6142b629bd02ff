// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json/json.h"

namespace animbridge::bvh_to_sl_anim {

/// The report as text: what was dropped, clamped or warned about, and why an upload would be refused.
[[nodiscard]] std::string describe(const Json& report, const Json& give_back);

}  // namespace animbridge::bvh_to_sl_anim
