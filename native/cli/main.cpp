// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <exception>
#include <new>
#include <sstream>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"

namespace {

using namespace animbridge::cli;

/// What CLI11 has to say: help and the version, or what is wrong with the call.
int end_of_parsing(const CLI::App& program, const CLI::ParseError& problem) {
    std::ostringstream help;
    std::ostringstream complaint;
    if (program.exit(problem, help, complaint) == 0) {
        print(help.str());
        return fine;
    }
    complain(problem.what());
    complain("run it with --help for what is allowed");
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
        complain("there is not enough memory");
        return failed;
    } catch (const std::exception& problem) {
        complain(problem.what());
        return failed;
    }
}
