// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"

namespace animbridge {

/// Joins files like `animbridge join`. Returns the report of joined(), with "inputs" and "output". On failure
/// the output is untouched.
[[nodiscard]] Result<Json> join_files(std::span<const std::string> inputs, const std::string& output,
                                      const std::string& input_format, const ReadOptions& reading,
                                      const Json& options);

}  // namespace animbridge
