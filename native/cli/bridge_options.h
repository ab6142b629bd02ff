// SPDX-License-Identifier: MIT
#pragma once

#include "cli/arguments.h"

/// What `convert` has for the exact ways between two formats: the options of every bridge's table.
namespace animbridge::cli {

void add_bridge_options(CLI::App* convert, const SharedArguments& arguments);

/// The options that were given, with the texts of the files that some of them name.
[[nodiscard]] Result<Json> given_bridge_options(const Arguments& arguments);

}  // namespace animbridge::cli
