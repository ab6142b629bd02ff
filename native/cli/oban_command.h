// SPDX-License-Identifier: MIT
#pragma once

#include "cli/arguments.h"

namespace animbridge::cli {

/// `animbridge oban list, extract, replace, pack`: what levels need besides the commands for every format.
void define_oban(CLI::App& program, const SharedArguments& arguments, int& exit_code);

}  // namespace animbridge::cli
