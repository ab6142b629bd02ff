// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include "base/options/options.h"

/// The subcommands. Parsing, help, the manual and the shell completions all come from these definitions.
namespace animbridge::cli {

/// Adds every subcommand to the program. A subcommand sets `exit_code` when it runs. `limits`: as
/// run_command.
void define_commands(CLI::App& program, const ReadOptions& limits, int& exit_code);

}  // namespace animbridge::cli
