// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/base.h"
#include "batch/request.h"
#include "batch/row.h"

/// Sets the result of one output, whoever makes it.
namespace animbridge::batch {

/// Marks the row as failed, for this reason.
void fail_row(Row& row, const Error& error);

/// Sets the row's verdict from its findings. `has_body`: whether the input has a body that can be retargeted.
void judge(Row& row, const Request& request, const std::function<bool()>& has_body);

/// Marks the existing output as kept, without reading it.
void leave_output(Row& row);

/// Whether the output is newer than the input.
[[nodiscard]] bool is_newer(const std::string& output, const std::string& input);

/// The size of a file; 0 if it does not exist.
[[nodiscard]] std::uint64_t size_of(const std::string& path);

}  // namespace animbridge::batch
