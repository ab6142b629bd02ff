// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

#include "base/base.h"
#include "batch/run/ledger.h"
#include "fuzz_inputs.h"
#include "fuzz_scratch.h"
#include "invariants.h"

namespace animbridge::test {

namespace {

/// Whether the line is a row. A row stays the same when it is written.
bool try_row(std::string_view line) {
    const auto row = batch::run::row_from_line(line);
    if (!row) {
        require(!row.error().reason.empty() && is_utf8(row.error().message()),
                "a failure without its reason");
        return false;
    }
    const std::string written = batch::run::line_of(*row);
    require(written.find('\n') == written.size() - 1, "a row that is not one line");
    const auto again = batch::run::row_from_line(written);
    require(again.has_value() && batch::run::line_of(*again) == written,
            "a row that changes when it is written");
    require(again->key() == row->key() && again->state == row->state, "a row of another input");
    return true;
}

}  // namespace

void try_ledger(ByteView bytes) {
    const std::string_view text = text_of(bytes);
    const Scratch folder;
    const std::string path = folder.file("ledger.jsonl");
    std::ofstream(path, std::ios::binary) << text;
    std::uint64_t rows = 0;
    std::uint64_t others = 0;
    std::string last;
    const auto told = batch::run::for_each_line(path, [&](std::string_view line, std::uint64_t at) {
        require(text.substr(at, line.size()) == line && text[at + line.size()] == '\n', "a line elsewhere");
        if (try_row(line)) {
            ++rows;
            last = line;
        } else {
            ++others;
        }
    });
    require(told.has_value() && rows + others == static_cast<std::uint64_t>(std::ranges::count(text, '\n')),
            "lines that are lost");
    const auto ledger = batch::run::Ledger::open(Folder::open(folder.file("")).value(), "ledger.jsonl", true);
    require(ledger.has_value() && (*ledger)->unreadable() == others, "a ledger that counts otherwise");
    if (rows == 0) {
        return;
    }
    const batch::run::LedgerRow row = batch::run::row_from_line(last).value();
    require((*ledger)->append(row).has_value(), "a row that is not added");
    // A last line without its end is gone, so that the new one is complete.
    std::uint64_t now = 0;
    std::string newest;
    require(batch::run::for_each_line(
                path,
                [&](std::string_view line, std::uint64_t /*at*/) {
                    ++now;
                    newest = line;
                }).has_value() &&
                now == rows + others + 1 && newest + "\n" == batch::run::line_of(row),
            "a row that is added to something else");
}

}  // namespace animbridge::test
