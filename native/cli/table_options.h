// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/options/options.h"
#include "cli/arguments.h"

/// Adds the command's options that come from tables.
namespace animbridge::cli {

/// An option's text in the command's help.
[[nodiscard]] std::string help_of(const Option& option);

/// Adds to `convert` the options of every bridge.
void add_bridge_options(CLI::App* convert, const SharedArguments& arguments);

/// Adds the options of a call ("reduce") for each format that has it, if they have a name for the command.
void add_call_options(CLI::App* command, const SharedArguments& arguments, std::string_view call);

/// Adds the options for reading a file.
void add_reading_options(CLI::App* command, const SharedArguments& arguments);

/// Adds the option "--animation", for commands that show one animation of a file.
void add_animation_option(CLI::App* command, const SharedArguments& arguments);

/// Adds to `convert` the options of retargeting.
void add_retarget_options(CLI::App* convert, const SharedArguments& arguments);

/// The given options, with the texts of the files that some of them name.
[[nodiscard]] Result<Json> given_options(const Arguments::Values& values);

}  // namespace animbridge::cli
