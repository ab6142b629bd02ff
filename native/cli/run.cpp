// SPDX-License-Identifier: MIT
#include "cli/run.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <new>
#include <numeric>
#include <sstream>
#include <string_view>
#include <utility>

#include "cli/arguments/arguments.h"
#include "cli/commands/commands.h"
#include "cli/help/help.h"

namespace animbridge::cli {

namespace {

/// The deepest subcommand that was recognised.
const CLI::App& innermost(const CLI::App& program) {
    const auto typed = program.get_subcommands();
    return typed.empty() ? program : innermost(*typed.front());
}

/// How many letters must be inserted, deleted or changed to turn one word into the other.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (const char letter : a) {
        std::size_t before = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = before + (letter == b[j] ? 0 : 1);
            before = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, before + 1});
        }
    }
    return row.back();
}

/// The command that was probably meant; "" if none is similar.
std::string nearest(const std::string& word, const std::vector<std::string>& names) {
    constexpr std::size_t longest_word = 64;  // comparing takes the product of the lengths
    if (word.size() > longest_word) {
        return "";
    }
    const auto best = std::ranges::min_element(
        names, [&](const auto& a, const auto& b) { return distance(word, a) < distance(word, b); });
    const bool is_near = distance(word, *best) <= 2 || (word.size() > 2 && best->starts_with(word));
    return is_near ? *best : "";
}

/// CLI11's message, except where it does not say what is wrong.
std::string what_is_wrong(const CLI::App& command, const CLI::ParseError& problem) {
    std::string text = problem.what();
    constexpr std::string_view has_value = " was given a disallowed flag override";
    if (text.ends_with(has_value)) {
        return "--" + text.substr(0, text.size() - has_value.size()) + ": found a value, allowed is none";
    }
    const auto rest = command.remaining();
    const auto commands = help::commands_of(command);
    if (rest.empty() || commands.empty()) {
        return text;
    }
    std::vector<std::string> names(commands.size());
    std::ranges::transform(commands, names.begin(), [](const CLI::App* each) { return each->get_name(); });
    const std::string near = nearest(rest.front(), names);
    return "found \"" + rest.front() + "\", allowed is one of " + help::joined_words(names, ", ") +
           (near.empty() ? "" : "; did you mean \"" + near + "\"?");
}

/// Prints help, the version, or the error in the call.
int end_of_parsing(const CLI::App& program, const CLI::ParseError& problem) {
    std::ostringstream help;
    std::ostringstream complaint;
    if (program.exit(problem, help, complaint) == 0) {
        arguments::print(help.str());
        return arguments::fine;
    }
    const CLI::App& command = innermost(program);
    const bool is_program = &command == &program;
    arguments::complain(what_is_wrong(command, problem));
    arguments::complain("see animbridge " + (is_program ? "" : help::full_name(program, command) + " ") +
                        "--help");
    return arguments::usage;
}

}  // namespace

int run_command(std::vector<std::string> words, const ReadOptions& limits) {
    try {
        CLI::App program("Look at, check, convert and compare animation files", "animbridge");
        int exit_code = arguments::fine;
        program.require_subcommand(1);
        arguments::is_switch(program.set_version_flag("--version", "animbridge " ANIMBRIDGE_VERSION));
        commands::define_commands(program, limits, exit_code);
        std::ranges::reverse(words);  // the order that CLI11 expects
        try {
            program.parse(std::move(words));
        } catch (const CLI::ParseError& problem) {
            return end_of_parsing(program, problem);
        }
        return exit_code;
    } catch (const std::bad_alloc&) {
        arguments::complain("out of memory");
        return arguments::failed;
    } catch (const std::exception& problem) {
        arguments::complain(problem.what());
        return arguments::failed;
    }
}

}  // namespace animbridge::cli
