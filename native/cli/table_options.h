// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/option.h"
#include "cli/arguments.h"

/// The command's options that come from tables.
namespace animbridge::cli {

/// Of an option, in the command's help.
[[nodiscard]] std::string help_of(const Option& option);

/// What `convert` has for the exact ways between two formats: the options of every bridge's table.
void add_bridge_options(CLI::App* convert, const SharedArguments& arguments);

/// Those of a call ("reduce") of each format that has it, where they have a name for the command.
void add_call_options(CLI::App* command, const SharedArguments& arguments, std::string_view call);

/// What every command has that reads a file.
void add_reading_options(CLI::App* command, const SharedArguments& arguments);

/// The option "--animation" for commands that show one animation of a file.
void add_animation_option(CLI::App* command, const SharedArguments& arguments);

/// What `convert` has for motion onto another skeleton.
void add_retarget_options(CLI::App* convert, const SharedArguments& arguments);

/// The options that were given, with the texts of the files that some of them name.
[[nodiscard]] Result<Json> given_options(const Arguments::Values& values);

}  // namespace animbridge::cli
