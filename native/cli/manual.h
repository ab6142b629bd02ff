// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace animbridge::cli {

/// Adds `manual man|bash|zsh|fish|findings`: the man page, a shell's completions, or the page of findings
/// (docs/findings.md).
void add_manual_command(CLI::App& program);

}  // namespace animbridge::cli
