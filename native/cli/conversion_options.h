// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/arguments.h"

/// What a conversion may be told, for one file or for many.
namespace animbridge::cli {

void add_conversion_options(CLI::App* command, const SharedArguments& arguments);

/// What was given. `output`: a name with the extension of what is written. ErrorCode::invalid_argument: an
/// option does not go with it; ErrorCode::io: a file that an option names cannot be read.
[[nodiscard]] Result<ConvertOptions> conversion_of(const Arguments& arguments, const std::string& output);

}  // namespace animbridge::cli
