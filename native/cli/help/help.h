// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

/// Help, the man page, the manual and shell completions, from the definitions of the commands.
namespace animbridge::cli::help {

// ---- texts ----

[[nodiscard]] std::string bash_completion(const CLI::App& program);
[[nodiscard]] std::string zsh_completion(const CLI::App& program);
[[nodiscard]] std::string fish_completion(const CLI::App& program);

/// The man page in roff.
[[nodiscard]] std::string man_page(const CLI::App& program);

/// Adds `manual man|bash|zsh|fish|findings`: the man page, a shell's completions, or the page of findings
/// (docs/findings.md).
void add_manual_command(CLI::App& program);

/// Makes the command's --help show only these options, in this order; its --help-all shows all of them.
void show_first(CLI::App* command, std::vector<std::string> names);

// ---- what CLI11 knows of the commands ----

[[nodiscard]] std::vector<const CLI::App*> commands_of(const CLI::App& program);

/// The commands that can be run: those in groups, and those without a group.
[[nodiscard]] std::vector<const CLI::App*> working_commands_of(const CLI::App& program);

/// The name, with that of its group in front if it has one.
[[nodiscard]] std::string full_name(const CLI::App& program, const CLI::App& command);

/// The positional arguments; or the command's own options, with help last, and then those of each heading.
[[nodiscard]] std::vector<const CLI::Option*> options_of(const CLI::App& command, bool positional);

/// The heading over the option in the help; "": the command's own options.
[[nodiscard]] std::string heading_of(const CLI::Option& option);

/// What the option does, after its heading: for lists without headings.
[[nodiscard]] std::string about(const CLI::Option& option);

/// The long name ("--level"), and the short one ("-h") if there is one.
[[nodiscard]] std::vector<std::string> names_of(const CLI::Option& option);

/// What an option or argument takes as its value.
enum class Takes { nothing, choice, file, folder, text };
[[nodiscard]] Takes what_takes(const CLI::Option& option);

/// Joins words, as in "playback strict upload".
[[nodiscard]] std::string joined_words(const std::vector<std::string>& words,
                                       const std::string& between = " ");

}  // namespace animbridge::cli::help
