// SPDX-License-Identifier: MIT
#pragma once

#include "cli/arguments.h"

namespace animbridge::cli {

/// Adds `animbridge rig`, which shows which joint is which part of a body.
void define_rig(CLI::App& program, const SharedArguments& arguments, int& exit_code);

}  // namespace animbridge::cli
