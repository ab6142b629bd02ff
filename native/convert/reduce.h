// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/job.h"
#include "base/json.h"
#include "base/result.h"

namespace animbridge {

/// Reduces a file as `animbridge reduce` does. Returns the report of AnyDocument::reduced, with "input" and
/// "output". On failure the output is untouched.
[[nodiscard]] Result<Json> reduce_file(const std::string& input, const std::string& output,
                                       const Json& options, const Job& job);

}  // namespace animbridge
