// SPDX-License-Identifier: MIT
#include "batch/resume.h"

#include <algorithm>
#include <stdexcept>

#include "base/files/files.h"
#include "batch/outcome.h"

namespace animbridge::batch {

namespace {

std::string digest_of_file(const std::string& path) {
    const auto bytes = read_file(path);
    return bytes ? sha256_hex(*bytes) : "";
}

bool is_same_input(const Input& input, const LedgerRow& row, const Fingerprint& state, bool by_digest) {
    if (row.state.size != state.size) {
        return false;
    }
    return by_digest || !row.state.modified ? row.state.digest == digest_of_file(input.path)
                                            : row.state.modified == state.modified;
}

bool is_same_output(const LedgerRow::Output& output, const Request& request) {
    const std::string path = joined_path(request.out, output.path);
    const auto state = fingerprint_of(path);
    return state && state->size == output.size && digest_of_file(path) == output.digest;
}

/// The ledger's result for a finished input. std::logic_error: AnimBridge did not write it.
Finished finished_before(const Input& input, const LedgerRow& row, const Request& request) {
    Finished finished;
    auto output = row.outputs.begin();
    for (const Json& report : row.reports) {
        Row made{input.given()};
        take_report(made, report);
        made.bytes_in = row.state.size;
        made.is_lasting = false;  // the ledger has it
        if (!report.contains("status")) {
            made.status = Status::current;
            made.output = joined_path(request.out, output->path);
            made.bytes_out = output->size;
            judge(made, request, [] { return false; });
            ++output;
        }
        finished.rows.push_back(std::move(made));
    }
    return finished;
}

}  // namespace

std::optional<Finished> kept(const Input& input, const LedgerRow& row, const Fingerprint& state,
                             const std::string& options, const Request& request) {
    const bool is_again = row.status == Status::failed && request.retry_failed;
    if (is_again || row.options != options || row.version != request.version || row.reports.is_null() ||
        !is_same_input(input, row, state, request.digest) ||
        !std::all_of(row.outputs.begin(), row.outputs.end(),
                     [&](const LedgerRow::Output& output) { return is_same_output(output, request); })) {
        return std::nullopt;
    }
    try {
        return finished_before(input, row, request);
    } catch (const std::logic_error&) {
        return std::nullopt;
    }
}

void reserve_kept(Finished& finished, const Worker::Claim& claim) {
    for (Row& row : finished.rows) {
        if (row.output.empty()) {
            continue;
        }
        if (const auto claimed = claim(row.output); !claimed) {
            const std::uint64_t bytes_in = row.bytes_in;
            row = Row{row.input};
            row.error = claimed.error().message();
            row.bytes_in = bytes_in;
            row.is_lasting = false;  // another run may have other inputs
        }
    }
}

}  // namespace animbridge::batch
