// SPDX-License-Identifier: MIT
#pragma once

#include "cli/arguments.h"

namespace animbridge::cli {

void define_join(CLI::App& program, const SharedArguments& arguments, int& exit_code);

}  // namespace animbridge::cli
