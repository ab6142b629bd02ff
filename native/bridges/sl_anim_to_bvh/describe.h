// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"

namespace animbridge::sl_anim_to_bvh {

/// What a BVH made of a .anim has, and what it could not take along, as a person reads it. `give_back`, a
/// member of the report, goes into a line to be typed again.
[[nodiscard]] std::string describe(const Json& report, const Json& give_back);

}  // namespace animbridge::sl_anim_to_bvh
