// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "batch/request.h"
#include "batch/row.h"

/// What becomes of one output, whoever makes it.
namespace animbridge::batch {

/// The row failed, for this reason.
void fail_row(Row& row, const Error& error);

/// Gives the row its verdict by its findings. `has_body`: whether the input has one that can be retargeted.
void judge(Row& row, const Request& request, const std::function<bool()>& has_body);

/// The output that is there stays, and is not read.
void leave_output(Row& row);

/// Whether the output is newer than the input.
[[nodiscard]] bool is_newer(const std::string& output, const std::string& input);

/// Of a file; 0 if there is none.
[[nodiscard]] std::uint64_t size_of(const std::string& path);

}  // namespace animbridge::batch
