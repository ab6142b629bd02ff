// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"

namespace animbridge::cli {

/// What a BVH made of a .anim has, and what it could not take along, as a person reads it. `report` is that
/// of the bridge.
[[nodiscard]] std::string sl_to_bvh_text(const Json& report);

}  // namespace animbridge::cli
