// SPDX-License-Identifier: MIT
#pragma once

#include "cli/arguments.h"

namespace animbridge::cli {

/// Adds `animbridge oban list, extract, replace, pack`: the commands for levels only.
void define_oban(CLI::App& program, const SharedArguments& arguments, int& exit_code);

}  // namespace animbridge::cli
