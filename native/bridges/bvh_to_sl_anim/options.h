// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/option.h"
#include "formats/sl_anim/bvh_loader.h"

namespace animbridge::bvh_to_sl_anim {

/// The fields of the upload dialog, and the anim.ini beside the BVH.
[[nodiscard]] std::span<const Option> options();

/// ErrorCode::bad_value with the member's name and what is allowed.
[[nodiscard]] Result<sl_anim::BvhLoad> bvh_load_from_json(const Json& options);

}  // namespace animbridge::bvh_to_sl_anim
