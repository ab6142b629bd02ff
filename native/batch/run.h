// SPDX-License-Identifier: MIT
#pragma once

#include "batch/request.h"

/// Converts many files in one run, without Blender.
namespace animbridge::batch {

/// Runs a batch and reports on it, on the standard streams and in the files that the request names. Returns
/// the exit code: 0 nothing failed; 1 something failed or everything was skipped; 130 and 143, a signal
/// stopped it. ErrorCode::invalid_argument: the request is wrong, and nothing was done. Other errors: the run
/// could not begin.
[[nodiscard]] Result<int> run(const Request& request);

}  // namespace animbridge::batch
