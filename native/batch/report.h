// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/files/files.h"
#include "batch/console.h"
#include "batch/row.h"

namespace animbridge::batch {

/// The JSON report of a run: {"rows": [...], "totals": {...}}. Rows go straight to the file, so memory does
/// not grow.
class ReportFile {
public:
    /// `path` "": no report is written.
    explicit ReportFile(const std::string& path);

    void add(const Row& row);
    /// ErrorCode::io: the report was not written; the reason is that of the first error.
    [[nodiscard]] Result<void> finish(const Totals& totals, double seconds, const Stop* stop);

private:
    void write(std::string_view text);

    std::optional<PartialFile> file_{};
    std::string buffer_{};
    bool has_rows_ = false;
    Result<void> state_{};
};

}  // namespace animbridge::batch
