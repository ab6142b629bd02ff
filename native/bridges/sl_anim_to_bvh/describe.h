// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json/json.h"

namespace animbridge::sl_anim_to_bvh {

/// The report as text: what the BVH has and what it cannot hold. `give_back`, a member of the report, becomes
/// a line to type for the conversion back.
[[nodiscard]] std::string describe(const Json& report, const Json& give_back);

}  // namespace animbridge::sl_anim_to_bvh
