// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace animbridge::cli {

/// Makes the command's --help show only these options, in this order; its --help-all shows all of them.
void show_first(CLI::App* command, std::vector<std::string> names);

}  // namespace animbridge::cli
