// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/options/options.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/loader/loader.h"

namespace animbridge::bvh_to_sl_anim {

struct Upload {
    sl_anim::BvhLoad load{};
    sl_anim::Target target = sl_anim::Target::second_life;
};

/// The grid, the fields of the upload dialog, and the anim.ini beside the BVH.
[[nodiscard]] std::span<const Option> options();

/// ErrorCode::bad_value with the member's name and what is allowed.
[[nodiscard]] Result<Upload> upload_from_json(const Json& options);

}  // namespace animbridge::bvh_to_sl_anim
