// SPDX-License-Identifier: MIT
#pragma once

#include "cli/arguments.h"

namespace animbridge::cli {

void define_batch(CLI::App& program, const ReadOptions& limits, int& exit_code);

}  // namespace animbridge::cli
