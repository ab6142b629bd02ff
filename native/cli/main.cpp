// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <new>

#include "cli/commands.h"

int main(int argc, char** argv) {
    using namespace animbridge::cli;
    try {
        CLI::App program("animation files, losslessly: look at them, check them, convert them", "animbridge");
        int exit_code = fine;
        program.require_subcommand(1);
        program.set_version_flag("--version", "animbridge " ANIMBRIDGE_VERSION);
        define_commands(program, exit_code);
        try {
            program.parse(argc, argv);
        } catch (const CLI::ParseError& problem) {
            return program.exit(problem) == 0 ? fine : usage;
        }
        return exit_code;
    } catch (const std::bad_alloc&) {
        std::cerr << "animbridge: out of memory\n";
        return failed;
    } catch (const std::exception& problem) {
        std::cerr << "animbridge: " << problem.what() << "\n";
        return failed;
    }
}
