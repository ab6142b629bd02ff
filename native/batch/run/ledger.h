// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/files.h"
#include "base/json/json.h"
#include "batch/plan/plan.h"
#include "batch/run/worker.h"

/// The ledger of a batch (docs/batch.md): a row for each input, and what `--resume` takes from it.
namespace animbridge::batch::run {

/// The state of an input file: its size, and its time or its content.
struct Fingerprint {
    std::uint64_t size = 0;
    std::optional<std::int64_t> modified{};  ///< nanoseconds since 1970
    std::string digest{};                    ///< SHA-256

    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// The size and time of a file; nullopt: it does not exist.
[[nodiscard]] std::optional<Fingerprint> fingerprint_of(const std::string& path);

/// The result of an input: a line of a ledger.
struct LedgerRow {
    struct Output {
        std::string path;  ///< below the output folder, with "/"
        std::uint64_t size = 0;
        std::string digest{};
    };

    std::string path;          ///< the input's path in the form of Input::relative
    std::uint32_t before = 0;  ///< how many earlier inputs have the same path
    std::string input{};       ///< as the user gave it
    Fingerprint state{};
    std::string options{};  ///< a digest of everything that affects the result
    std::string version{};  ///< AnimBridge's version
    plan::Status status = plan::Status::failed;
    std::vector<Output> outputs{};
    /// report_of each row of the input; rows without a status are its outputs. Null: not in the ledger.
    Json reports{};
    std::string error{};

    [[nodiscard]] plan::PathKey key() const;
};

[[nodiscard]] plan::PathKey ledger_key(std::string_view path, std::uint32_t before);

/// One line, including its end.
[[nodiscard]] std::string line_of(const LedgerRow& row);
/// ErrorCode::bad_value: it is not a row.
[[nodiscard]] Result<LedgerRow> row_from_line(std::string_view line);

/// The row for a finished input. nullopt: its result is not lasting.
[[nodiscard]] std::optional<LedgerRow> ledger_row_of(const plan::Input& input, const Finished& finished,
                                                     const Fingerprint& state, const plan::Request& request);

/// A digest of a run's options that affect the results: equal if these options are equal. ErrorCode::io: a
/// file that one of them names cannot be read.
[[nodiscard]] Result<std::string> options_digest(const plan::Request& request);

/// The folder of ledgers and locks, in the output folder.
inline constexpr std::string_view own_folder_name = ".animbridge";

/// "ledger.jsonl", or "ledger-2-of-8.jsonl" for a shard.
[[nodiscard]] std::string ledger_name(plan::Shard shard);

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
    [[nodiscard]] std::optional<LedgerRow> row_of(const plan::Input& input) const;

    /// ErrorCode::io: the row is not stored.
    [[nodiscard]] Result<void> append(const LedgerRow& row);
    [[nodiscard]] Result<void> store();

    /// The number of lines that are not rows.
    [[nodiscard]] std::uint64_t unreadable() const { return unreadable_; }

private:
    Ledger(std::string path, AppendFile file) : path_(std::move(path)), file_(std::move(file)) {}

    std::string path_;
    AppendFile file_;
    plan::PathMap<std::uint64_t> places_;
    std::uint64_t unreadable_ = 0;
    std::mutex mutex_;
};

/// The ledger's result for an input that need not be converted again: the input, the options and the version
/// are the same, and every output exists with the same content. nullopt: it must be converted.
[[nodiscard]] std::optional<Finished> kept(const plan::Input& input, const LedgerRow& row,
                                           const Fingerprint& state, const std::string& options,
                                           const plan::Request& request);

/// Reserves the outputs of an input that is not converted again. The row fails if an output now belongs to
/// another input.
void reserve_kept(Finished& finished, const Worker::Claim& claim);

}  // namespace animbridge::batch::run
