// SPDX-License-Identifier: MIT
#include "batch/merge.h"

#include <algorithm>

#include "base/files/files.h"
#include "batch/ledger.h"

namespace animbridge::batch {

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
        std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
            return std::tie(a.path, a.before) < std::tie(b.path, b.before);
        });
    }

    std::vector<Place> places;
    Merged merged;

private:
    PathMap<std::size_t> indices_;
};

/// Finds outputs of two inputs.
class Owners {
public:
    explicit Owners(const std::vector<Place>& places) : places_(places) {}

    void add(const LedgerRow& row, std::size_t index, std::vector<std::string>& conflicts) {
        for (const LedgerRow::Output& output : row.outputs) {
            const auto [owner, is_new] = owners_.emplace(key_of(output.path), index);
            if (!is_new && owner->second != index) {
                conflicts.push_back(output.path + ": " + places_[owner->second].path + " and " + row.path);
            }
        }
    }

private:
    const std::vector<Place>& places_;
    PathMap<std::size_t> owners_;
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

}  // namespace animbridge::batch
