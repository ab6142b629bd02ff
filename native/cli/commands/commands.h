// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include "base/options/options.h"
#include "cli/arguments/arguments.h"

/// The subcommands. Parsing, help, the manual and the shell completions all come from these definitions.
namespace animbridge::cli::commands {

/// Adds every subcommand to the program. A subcommand sets `exit_code` when it runs. `limits`: as
/// run_command.
void define_commands(CLI::App& program, const ReadOptions& limits, int& exit_code);

void define_check(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code);
void define_fix(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code);
void define_quality(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code);

void define_batch(CLI::App& program, const ReadOptions& limits, int& exit_code);

void define_convert(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code);

void define_edit(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code);

void define_sequence(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code);
void define_join(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code);

/// Adds `animbridge oban list, extract, replace, pack`: the commands for levels only.
void define_oban(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code);

/// Adds `animbridge rig`, which shows which joint is which part of a body.
void define_rig(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code);

}  // namespace animbridge::cli::commands
