// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/job.h"
#include "base/json.h"
#include "base/result.h"

namespace animbridge {

/// File to file of one format, as `animbridge reduce`: the report of AnyDocument::reduced, with "input" and
/// "output". On failure the output is untouched.
[[nodiscard]] Result<Json> reduce_file(const std::string& input, const std::string& output,
                                       const Json& options, const Job& job);

}  // namespace animbridge
