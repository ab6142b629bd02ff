// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/arguments.h"

/// The options of conversions, for one file or for many.
namespace animbridge::cli {

void add_conversion_options(CLI::App* command, const SharedArguments& arguments);

/// The given options. `output`: a name with the output's extension. ErrorCode::invalid_argument: an option
/// does not apply to it; ErrorCode::io: a file that an option names cannot be read.
[[nodiscard]] Result<ConvertOptions> conversion_of(const Arguments& arguments, const std::string& output);

}  // namespace animbridge::cli
