// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "batch/row.h"

/// What becomes of one output, whoever makes it.
namespace animbridge::batch {

/// The row failed, for this reason.
void fail_row(Row& row, const Error& error);

/// The output that is there stays.
void leave_output(Row& row);

/// Whether the output is newer than the input.
[[nodiscard]] bool is_newer(const std::string& output, const std::string& input);

/// Of a file; 0 if there is none.
[[nodiscard]] std::uint64_t size_of(const std::string& path);

}  // namespace animbridge::batch
