// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

/// The subcommands. Parsing, help, the manual and the shell completions all come from these definitions.
namespace animbridge::cli {

enum ExitCode : int { fine = 0, failed = 1, usage = 2 };

/// Adds every subcommand to the program. A subcommand sets `exit_code` when it runs.
void define_commands(CLI::App& program, int& exit_code);

}  // namespace animbridge::cli
