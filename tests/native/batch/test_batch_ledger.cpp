// SPDX-License-Identifier: MIT
// Rows of ledgers, and lines that are torn.
#include <fstream>
#include <thread>

#include "batch/run/ledger.h"
#include "batch/run/run.h"
#include "catch.h"
#include "ledger_rows.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::batch::plan;
using namespace animbridge::batch::run;
using namespace animbridge::test;

TEST_CASE("A row is the same after it was a line", "[batch]") {
    LedgerRow row = some_row("deep/w\u00E4lk \xff.anim");
    row.before = 3;
    row.error = "line\nbreak";
    for (const Status status : {Status::ok, Status::failed, Status::skipped}) {
        row.status = status;
        const std::string line = line_of(row);
        CHECK(line.find('\n') == line.size() - 1);
        const auto again = row_from_line(line);
        REQUIRE(again);
        CHECK(line_of(*again) == line);
        CHECK(again->path == row.path);
        CHECK(again->state == row.state);
        CHECK(again->key() == row.key());
    }
    row.reports =
        parse_json(
            R"([{"findings": [{"id": "a", "joint": null, "found": ""}]}, {"status": "failed", "error": "x"}, {}])")
            .value();
    CHECK(row_from_line(line_of(row))->reports == row.reports);
    for (const char* const others : {"[]", "[{}]", "[{}, {}, {}]", "[{}, 3]", "7",
                                     R"([{"findings": [1]}, {}])", R"([{}, {}, {"status": 1}])"}) {
        row.reports = parse_json(others).value();
        CHECK(row_from_line(line_of(row))->reports.is_null());
    }
    row.state = {5, std::nullopt, std::string(64, 'c')};
    CHECK(row_from_line(line_of(row))->state == row.state);
}

TEST_CASE("What is no row is an error", "[batch]") {
    const std::string good = line_of(some_row("walk.anim"));
    REQUIRE(row_from_line(good));
    for (const std::string line : {"", "{}", "[]", "null", "{\"path\": 3}"}) {
        CHECK_FALSE(row_from_line(line));
    }
    for (std::size_t cut = 1; cut + 1 < good.size(); ++cut) {
        CHECK_FALSE(row_from_line(good.substr(0, good.size() - 1 - cut)));
    }
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string line = good;
        line.replace(line.find(from), from.size(), to);
        return row_from_line(line).has_value();
    };
    CHECK_FALSE(with("1234", "-1"));
    CHECK_FALSE(with("1234", "1e30"));
    CHECK_FALSE(with("\"other\"", "\"../other\""));
    CHECK_FALSE(with("\"other\"", "\"/etc/other\""));
    CHECK_FALSE(with("\"ok\"", "\"current\""));
    CHECK_FALSE(with("\"outputs\":[", "\"outputs\":[7,"));
}

TEST_CASE("A torn last line is dropped, and rows are found again", "[batch]") {
    const ScratchFolder folder;
    const std::string path = (folder.path() / "ledger.jsonl").string();
    const std::string first = line_of(some_row("a.anim"));
    const std::string second = line_of(some_row("b.anim"));
    for (std::size_t cut = 1; cut <= second.size(); ++cut) {
        write_text(path, first + second.substr(0, second.size() - cut));
        auto ledger = Ledger::open(Folder::open(folder.path().string()).value(), "ledger.jsonl", true);
        REQUIRE(ledger);
        CHECK((*ledger)->unreadable() == 0);
        CHECK(text_of_file(path) == first);
        CHECK((*ledger)->row_of({"in/a.anim"}));
        CHECK_FALSE((*ledger)->row_of({"in/b.anim"}));
        REQUIRE((*ledger)->append(some_row("b.anim")));
        CHECK(text_of_file(path) == first + second);
    }
    LedgerRow newer = some_row("a.anim");
    newer.status = Status::failed;
    write_text(path, first + second + "\n\nno row\n" + line_of(newer));
    const auto ledger = Ledger::open(Folder::open(folder.path().string()).value(), "ledger.jsonl", true);
    REQUIRE(ledger);
    CHECK((*ledger)->unreadable() == 3);
    CHECK((*ledger)->row_of({"in/a.anim"})->status == Status::failed);
}

TEST_CASE("Threads append whole lines", "[batch]") {
    const ScratchFolder folder;
    const std::string path = (folder.path() / "ledger.jsonl").string();
    {
        auto ledger = Ledger::open(Folder::open(folder.path().string()).value(), "ledger.jsonl", false);
        REQUIRE(ledger);
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&, thread] {
                for (int i = 0; i < 100; ++i) {
                    (void)(*ledger)->append(some_row(std::to_string(thread) + "-" + std::to_string(i)));
                }
            });
        }
    }
    const auto merged = merge_ledgers({path}, path);
    REQUIRE(merged);
    CHECK(merged->rows == 400);
    CHECK(merged->unreadable == 0);
    CHECK(merged->conflicts.size() == 399);  // "other" belongs to all of them
}
