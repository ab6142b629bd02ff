// SPDX-License-Identifier: MIT
#include "batch/run/run.h"

#include <algorithm>
#include <stdexcept>

#include "base/files/files.h"
#include "batch/run/ledger.h"
#include "batch/run/worker.h"

namespace animbridge::batch::run {

namespace {

/// The location of an input's newest row.
struct Place {
    std::string path;
    std::uint32_t before = 0;
    std::size_t ledger = 0;
    std::uint64_t at = 0;
};

/// Finds the newest rows.
class Rows {
public:
    Result<void> add(const std::string& path, std::size_t ledger) {
        return for_each_line(path, [&](std::string_view line, std::uint64_t at) {
            const auto row = row_from_line(line);
            if (!row) {
                ++merged.unreadable;
                return;
            }
            const auto [known, is_new] = indices_.emplace(row->key(), places.size());
            if (is_new) {
                places.push_back({row->path, row->before, ledger, at});
            } else {
                places[known->second].ledger = ledger;
                places[known->second].at = at;
                ++merged.superseded;
            }
        });
    }

    void sort() {
        std::ranges::sort(places, [](const Place& a, const Place& b) {
            return std::tie(a.path, a.before) < std::tie(b.path, b.before);
        });
    }

    std::vector<Place> places;
    Merged merged;

private:
    plan::PathMap<std::size_t> indices_;
};

/// Finds outputs of two inputs.
class Owners {
public:
    explicit Owners(const std::vector<Place>& places) : places_(places) {}

    void add(const LedgerRow& row, std::size_t index, std::vector<std::string>& conflicts) {
        for (const LedgerRow::Output& output : row.outputs) {
            const auto [owner, is_new] = owners_.emplace(plan::key_of(output.path), index);
            if (!is_new && owner->second != index) {
                conflicts.push_back(output.path + ": " + places_[owner->second].path + " and " + row.path);
            }
        }
    }

private:
    const std::vector<Place>& places_;
    plan::PathMap<std::size_t> owners_;
};

/// Writes the rows in the order of their paths. Opens a ledger for each: a run may have more ledgers than a
/// process may have open files.
Result<void> write_rows(const std::vector<std::string>& ledgers, Rows& rows, PartialFile& file) {
    Owners owners(rows.places);
    for (std::size_t i = 0; i < rows.places.size(); ++i) {
        const std::string& ledger = ledgers[rows.places[i].ledger];
        const auto line = line_at(ledger, rows.places[i].at);
        const auto row = line ? row_from_line(*line) : fail(ErrorCode::io, "");
        if (!row) {
            return io_error(ledger, "it changed while it was read");
        }
        owners.add(*row, i, rows.merged.conflicts);
        TRY_VOID(file.append(*line + "\n"));
    }
    return {};
}

}  // namespace

Result<Merged> merge_ledgers(const std::vector<std::string>& ledgers, const std::string& output) {
    Rows rows;
    for (std::size_t i = 0; i < ledgers.size(); ++i) {
        TRY_VOID(rows.add(ledgers[i], i));
    }
    rows.sort();
    TRY(PartialFile file, PartialFile::open(output));
    TRY_VOID(write_rows(ledgers, rows, file));
    TRY_VOID(file.store());
    TRY_VOID(file.finish());
    rows.merged.rows = rows.places.size();
    return std::move(rows.merged);
}

namespace {

std::string digest_of_file(const std::string& path) {
    const auto bytes = read_file(path);
    return bytes ? sha256_hex(*bytes) : "";
}

bool is_same_input(const plan::Input& input, const LedgerRow& row, const Fingerprint& state, bool by_digest) {
    if (row.state.size != state.size) {
        return false;
    }
    return by_digest || !row.state.modified ? row.state.digest == digest_of_file(input.path)
                                            : row.state.modified == state.modified;
}

bool is_same_output(const LedgerRow::Output& output, const plan::Request& request) {
    const std::string path = joined_path(request.out, output.path);
    const auto state = fingerprint_of(path);
    return state && state->size == output.size && digest_of_file(path) == output.digest;
}

/// The ledger's result for a finished input. std::logic_error: AnimBridge did not write it.
Finished finished_before(const plan::Input& input, const LedgerRow& row, const plan::Request& request) {
    Finished finished;
    auto output = row.outputs.begin();
    for (const Json& report : row.reports) {
        plan::Row made{input.given()};
        plan::take_report(made, report);
        made.bytes_in = row.state.size;
        made.is_lasting = false;  // the ledger has it
        if (!report.contains("status")) {
            made.status = plan::Status::current;
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

std::optional<Finished> kept(const plan::Input& input, const LedgerRow& row, const Fingerprint& state,
                             const std::string& options, const plan::Request& request) {
    const bool is_again = row.status == plan::Status::failed && request.retry_failed;
    if (is_again || row.options != options || row.version != request.version || row.reports.is_null() ||
        !is_same_input(input, row, state, request.digest) ||
        !std::ranges::all_of(
            row.outputs, [&](const LedgerRow::Output& output) { return is_same_output(output, request); })) {
        return std::nullopt;
    }
    try {
        return finished_before(input, row, request);
    } catch (const std::logic_error&) {
        return std::nullopt;
    }
}

void reserve_kept(Finished& finished, const Worker::Claim& claim) {
    for (plan::Row& row : finished.rows) {
        if (row.output.empty()) {
            continue;
        }
        if (const auto claimed = claim(row.output); !claimed) {
            const std::uint64_t bytes_in = row.bytes_in;
            row = plan::Row{row.input};
            row.error = claimed.error().message();
            row.bytes_in = bytes_in;
            row.is_lasting = false;  // another run may have other inputs
        }
    }
}

}  // namespace animbridge::batch::run
