// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/options/options.h"

/// The command `animbridge` as a function, for its program and for ab_command.
namespace animbridge::cli {

/// Runs the command `animbridge` with these words, in UTF-8 and without the program's name; prints to the
/// standard streams. Returns the exit code. Only `scene_reader` of `limits` is used; the words set the
/// others.
[[nodiscard]] int run_command(std::vector<std::string> words, const ReadOptions& limits);

}  // namespace animbridge::cli
