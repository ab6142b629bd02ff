// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "batch/ledger.h"
#include "batch/plan.h"

/// A plan in a file: what a run would convert, for other processes and machines to do parts of it. JSON
/// lines:
/// - the header: {"animbridge_plan": 1, "version": "0.1.0", "folder": where relative paths begin,
///   "out": the output folder, "arguments": the words of `animbridge batch` that decide what inputs become,
///   "options": what ledger rows have for them, "ledger_bytes": how long the ledger was,
///   "reserved": inputs in the output folder, which no output may replace,
///   "extensions": of the files that are taken from folders}
/// - an object for each input: "input", "folder", "size", "modified" and, if need be, "before" and "fault".
/// docs/scale.md describes it for users.
namespace animbridge::batch {

/// Writes what a run would do, and returns how many inputs that are. With `resume` or `retry_failed`, what
/// the ledger has is left out. ErrorCode::io: the file cannot be written.
[[nodiscard]] Result<std::size_t> write_plan(const Request& request, const Plan& plan, const Ledger& ledger,
                                             const std::string& options);

/// The inputs of a plan, or of a part of it; "-": standard input. ErrorCode::bad_value, with the line: it is
/// not a plan, or another version of AnimBridge made it.
[[nodiscard]] Result<Plan> read_plan(const Request& request);

}  // namespace animbridge::batch
