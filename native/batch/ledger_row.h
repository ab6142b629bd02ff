// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "batch/plan.h"
#include "batch/worker.h"

namespace animbridge::batch {

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
    Status status = Status::failed;
    std::vector<Output> outputs{};
    /// report_of each row of the input; rows without a status are its outputs. Null: not in the ledger.
    Json reports{};
    std::string error{};

    [[nodiscard]] PathKey key() const;
};

[[nodiscard]] PathKey ledger_key(std::string_view path, std::uint32_t before);

/// One line, including its end.
[[nodiscard]] std::string line_of(const LedgerRow& row);
/// ErrorCode::bad_value: it is not a row.
[[nodiscard]] Result<LedgerRow> row_from_line(std::string_view line);

/// The row for a finished input. nullopt: its result is not lasting.
[[nodiscard]] std::optional<LedgerRow> ledger_row_of(const Input& input, const Finished& finished,
                                                     const Fingerprint& state, const Request& request);

/// A digest of a run's options that affect the results: equal if these options are equal. ErrorCode::io: a
/// file that one of them names cannot be read.
[[nodiscard]] Result<std::string> options_digest(const Request& request);

}  // namespace animbridge::batch
