// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/append_file.h"
#include "batch/console.h"
#include "batch/row.h"

namespace animbridge::batch {

/// The JSON report of a run: {"rows": [...], "totals": {...}}. It grows row by row in a file with ".partial"
/// at the end of its name, so that memory does not, and gets its name when it is complete.
class ReportFile {
public:
    /// `path` "": there is none.
    explicit ReportFile(std::string path);

    void add(const Row& row);
    /// ErrorCode::io: the report is not there, for the first reason that there was.
    [[nodiscard]] Result<void> finish(const Totals& totals, double seconds, const Stop* stop);

private:
    void write(std::string_view text);

    std::string path_;
    std::string partial_;
    std::optional<AppendFile> file_{};
    std::string buffer_{};
    bool has_rows_ = false;
    Result<void> state_{};
};

}  // namespace animbridge::batch
