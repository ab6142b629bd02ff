// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace animbridge::cli {

/// Adds `manual man|bash|zsh|fish`, which prints the man page or a shell's completions of all that the program defines.
void add_manual_command(CLI::App& program);

}  // namespace animbridge::cli
