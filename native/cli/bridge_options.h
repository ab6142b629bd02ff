// SPDX-License-Identifier: MIT
#pragma once

#include "cli/arguments.h"

/// The options of `convert` for bridges, from every bridge's table.
namespace animbridge::cli {

void add_bridge_options(CLI::App* convert, const SharedArguments& arguments);

/// The given options as JSON, with the text of each file that an option names.
[[nodiscard]] Result<Json> given_bridge_options(const Arguments& arguments);

}  // namespace animbridge::cli
