// SPDX-License-Identifier: MIT
#pragma once

#include "cli/arguments.h"

/// What `convert` has for the way from BVH to .anim.
namespace animbridge::cli {

void add_bvh_to_sl(CLI::App* convert, const SharedArguments& arguments);

/// The options of that way, with the text of the file that --anim-ini names.
[[nodiscard]] Result<Json> conversion_with_anim_ini(const Arguments& arguments);

/// What was dropped, held or warned of, and why an upload would be refused, as a person reads it. `report` is
/// that of the bridge.
[[nodiscard]] std::string bvh_to_sl_text(const Json& report);

}  // namespace animbridge::cli
