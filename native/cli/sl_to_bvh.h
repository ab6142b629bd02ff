// SPDX-License-Identifier: MIT
#pragma once

#include "cli/arguments.h"

/// What `convert` has for the way from .anim to BVH.
namespace animbridge::cli {

void add_sl_to_bvh(CLI::App* convert, const SharedArguments& arguments);

/// What a BVH made of a .anim has, and what it could not take along, as a person reads it. `report` is that
/// of the bridge; `give_back`, a member of it, goes into a line to be typed again.
[[nodiscard]] std::string sl_to_bvh_text(const Json& report, const Json& give_back);

}  // namespace animbridge::cli
