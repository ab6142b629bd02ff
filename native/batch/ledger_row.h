// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "batch/plan.h"
#include "batch/worker.h"

namespace animbridge::batch {

/// How a file was when it was an input: its size, and its time or its content.
struct Fingerprint {
    std::uint64_t size = 0;
    std::optional<std::int64_t> modified{};  ///< nanoseconds since 1970
    std::string digest{};                    ///< SHA-256

    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Size and time of a file; nullopt: there is none.
[[nodiscard]] std::optional<Fingerprint> fingerprint_of(const std::string& path);

/// What an input became: a line of a ledger.
struct LedgerRow {
    struct Output {
        std::string path;  ///< below the output folder, with "/"
        std::uint64_t size = 0;
        std::string digest{};
    };

    std::string path;          ///< the input's place, as Input::relative has it
    std::uint32_t before = 0;  ///< how many inputs before it have the same place
    std::string input{};       ///< as it was given
    Fingerprint state{};
    std::string options{};  ///< stands for all that decides what an input becomes
    std::string version{};  ///< of AnimBridge
    Status status = Status::failed;
    std::vector<Output> outputs{};
    /// What report_of says of each row of the input, of which the outputs are those without a status; null:
    /// the ledger does not say.
    Json reports{};
    std::string error{};

    [[nodiscard]] PathKey key() const;
};

[[nodiscard]] PathKey ledger_key(std::string_view path, std::uint32_t before);

/// One line, with its end.
[[nodiscard]] std::string line_of(const LedgerRow& row);
/// ErrorCode::bad_value: it is no row.
[[nodiscard]] Result<LedgerRow> row_from_line(std::string_view line);

/// Of a finished input. nullopt: it has not become anything that lasts.
[[nodiscard]] std::optional<LedgerRow> ledger_row_of(const Input& input, const Finished& finished,
                                                     const Fingerprint& state, const Request& request);

/// Stands for the options of a run that decide what its inputs become: equal if these are equal.
/// ErrorCode::io: a file that one of them names cannot be read.
[[nodiscard]] Result<std::string> options_digest(const Request& request);

}  // namespace animbridge::batch
