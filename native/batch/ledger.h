// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/files/files.h"
#include "batch/ledger_row.h"

namespace animbridge::batch {

/// The folder of ledgers and locks, in the output folder.
inline constexpr std::string_view own_folder_name = ".animbridge";

/// "ledger.jsonl", or "ledger-2-of-8.jsonl" for a shard.
[[nodiscard]] std::string ledger_name(Shard shard);

/// Calls `take` with each complete line of a ledger and its offset. Skips a last line without an end: its run
/// was killed while writing it. ErrorCode::io: the ledger cannot be read.
[[nodiscard]] Result<void> for_each_line(
    const std::string& path, const std::function<void(std::string_view line, std::uint64_t at)>& take);

/// The line at an offset of a ledger.
[[nodiscard]] std::optional<std::string> line_at(const std::string& path, std::uint64_t at);

/// A run's ledger: one row for each finished input. Several threads may use it.
class Ledger {
public:
    /// Creates the file if it is missing. Drops a last line that was cut off. `remembers`: keep the rows for
    /// row_of, which takes about 60 bytes per row.
    [[nodiscard]] static Result<std::unique_ptr<Ledger>> open(const Folder& folder, const std::string& name,
                                                              bool remembers);

    /// The ledger's row about an input when it was opened; the last row wins.
    [[nodiscard]] std::optional<LedgerRow> row_of(const Input& input) const;

    /// ErrorCode::io: the row is not stored.
    [[nodiscard]] Result<void> append(const LedgerRow& row);
    [[nodiscard]] Result<void> store();

    /// The number of lines that are not rows.
    [[nodiscard]] std::uint64_t unreadable() const { return unreadable_; }

private:
    Ledger(std::string path, AppendFile file) : path_(std::move(path)), file_(std::move(file)) {}

    std::string path_;
    AppendFile file_;
    PathMap<std::uint64_t> places_;
    std::uint64_t unreadable_ = 0;
    std::mutex mutex_;
};

}  // namespace animbridge::batch
