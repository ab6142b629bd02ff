// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace animbridge::cli {

/// The command's --help shows these options alone, in this order, and its --help-all shows all of them.
void show_first(CLI::App* command, std::vector<std::string> names);

}  // namespace animbridge::cli
