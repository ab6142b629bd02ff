// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

/// What CLI11 knows of the commands, as the man page and the completions go through it.
namespace animbridge::cli {

[[nodiscard]] std::vector<const CLI::App*> commands_of(const CLI::App& program);

/// The commands that do something: those of groups, and the rest.
[[nodiscard]] std::vector<const CLI::App*> working_commands_of(const CLI::App& program);

/// With its group's name in front.
[[nodiscard]] std::string full_name(const CLI::App& program, const CLI::App& command);

/// The arguments without a name (`positional`), or the options, help last.
[[nodiscard]] std::vector<const CLI::Option*> options_of(const CLI::App& command, bool positional);

/// "--level", and "-h" besides where there is one.
[[nodiscard]] std::vector<std::string> names_of(const CLI::Option& option);

/// What stands after an option's name, or for an argument.
enum class Takes { nothing, choice, file, folder, text };
[[nodiscard]] Takes what_takes(const CLI::Option& option);

/// "playback strict upload"
[[nodiscard]] std::string joined_words(const std::vector<std::string>& words,
                                       const std::string& between = " ");

}  // namespace animbridge::cli
