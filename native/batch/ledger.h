// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/append_file.h"
#include "batch/ledger_row.h"

namespace animbridge::batch {

/// The folder of ledgers and locks, in the output folder.
inline constexpr std::string_view own_folder_name = ".animbridge";

/// "ledger.jsonl", or "ledger-2-of-8.jsonl" of a shard.
[[nodiscard]] std::string ledger_name(Shard shard);

/// Calls `take` with each whole line of a ledger, and where it begins. A last line without an end is left
/// out: its run was killed while it wrote. ErrorCode::io: it cannot be read.
[[nodiscard]] Result<void> for_each_line(
    const std::string& path, const std::function<void(std::string_view line, std::uint64_t at)>& take);

/// Where a line begins in one of several ledgers, and the line.
[[nodiscard]] std::optional<std::string> line_at(const std::string& path, std::uint64_t at);

/// A run's ledger: one row for each finished input. Several threads may use it.
class Ledger {
public:
    /// Makes the file if there is none. Drops a last line that was cut off. `remembers`: what it says is
    /// needed, which takes about 60 bytes a row.
    [[nodiscard]] static Result<std::unique_ptr<Ledger>> open(const Folder& folder, const std::string& name,
                                                              bool remembers);

    /// What the ledger said about an input when it was opened: the last row wins.
    [[nodiscard]] std::optional<LedgerRow> row_of(const Input& input) const;

    /// ErrorCode::io: the row is not stored.
    [[nodiscard]] Result<void> append(const LedgerRow& row);
    [[nodiscard]] Result<void> store();

    /// Lines that are no rows.
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
