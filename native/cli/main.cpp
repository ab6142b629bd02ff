// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"

namespace {

using namespace animbridge::cli;

/// The deepest subcommand that was recognised.
const CLI::App& innermost(const CLI::App& program) {
    const auto typed = program.get_subcommands();
    return typed.empty() ? program : innermost(*typed.front());
}

/// CLI11's message, or our own where CLI11's does not name what is wrong.
std::string what_is_wrong(const CLI::App& command, const CLI::ParseError& problem) {
    std::string text = problem.what();
    constexpr std::string_view has_value = " was given a disallowed flag override";
    if (text.ends_with(has_value)) {
        return "--" + text.substr(0, text.size() - has_value.size()) + ": found a value, allowed is none";
    }
    const auto rest = command.remaining();
    const auto commands = commands_of(command);
    if (rest.empty() || commands.empty()) {
        return text;
    }
    std::vector<std::string> names(commands.size());
    std::transform(commands.begin(), commands.end(), names.begin(),
                   [](const CLI::App* each) { return each->get_name(); });
    return "found \"" + rest.front() + "\", allowed is one of " + joined_words(names, ", ");
}

/// Prints help, the version, or the error in the call.
int end_of_parsing(const CLI::App& program, const CLI::ParseError& problem) {
    std::ostringstream help;
    std::ostringstream complaint;
    if (program.exit(problem, help, complaint) == 0) {
        print(help.str());
        return fine;
    }
    const CLI::App& command = innermost(program);
    const bool is_program = &command == &program;
    complain(what_is_wrong(command, problem));
    complain("see animbridge " + (is_program ? "" : full_name(program, command) + " ") + "--help");
    return usage;
}

}  // namespace

int main(int argc, char** argv) {
    hold_standard_streams();
    try {
        CLI::App program("animation files, losslessly: look at them, check them, convert them", "animbridge");
        int exit_code = fine;
        program.require_subcommand(1);
        is_switch(program.set_version_flag("--version", "animbridge " ANIMBRIDGE_VERSION));
        define_commands(program, exit_code);
        try {
            program.parse(argc, argv);
        } catch (const CLI::ParseError& problem) {
            return end_of_parsing(program, problem);
        }
        return exit_code;
    } catch (const std::bad_alloc&) {
        complain("out of memory");
        return failed;
    } catch (const std::exception& problem) {
        complain(problem.what());
        return failed;
    }
}
