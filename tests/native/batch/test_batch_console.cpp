// SPDX-License-Identifier: MIT
// The words of progress and of the table.
#include "batch/plan/plan.h"
#include "batch/run/worker.h"
#include "catch.h"

using namespace animbridge::batch::plan;
using namespace animbridge::batch::run;

TEST_CASE("Progress says how fast it goes and how long it takes", "[batch]") {
    CHECK(progress_text(12, 48, 3.0) == "[######..................] 12/48  4 files/s  0:09 left");
    CHECK(progress_text(17, 48, 0.3) == "[########................] 17/48  57 files/s  0:01 left");
    CHECK(progress_text(1, 3, 3.0) == "[########................] 1/3  0.33 files/s  0:06 left");
    CHECK(progress_text(48, 48, 96.0) == "[########################] 48/48  0.5 files/s  0:00 left");
    CHECK(progress_text(1, 1, 0.0) == "[########################] 1/1  0 files/s  0:00 left");
    CHECK(clock_text(0.4) == "0:00");
    CHECK(clock_text(65.0) == "1:05");
    CHECK(clock_text(7384.0) == "2:03:04");
    CHECK(clock_text(-1.0) == "0:00");
}

namespace {

std::string line_of(const Row& row, PathColumn paths) {
    Repeated repeated = repeated_in({row});
    return table_lines(row, paths, repeated);
}

}  // namespace

TEST_CASE("A row is a line without control characters, and a long path shows its end", "[batch]") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(1234567) == "1,234,567");
    Row row{"in.anim"};
    row.output = "out/\u00E4.bvh";
    row.status = Status::ok;
    row.bytes_out = 30290;
    CHECK(line_of(row, {12, true}) == "ok       out/\u00E4.bvh         30,290 bytes  no findings\n");
    CHECK(line_of(row, {12, false}) == line_of(row, {12, true}));
    row.output = std::string(100, 'x') + "\u00E4.bvh";
    CHECK(line_of(row, {12, true}) == "ok       ...xxxx\u00E4.bvh      30,290 bytes  no findings\n");
    CHECK(line_of(row, {12, false}) == "ok       " + row.output + "      30,290 bytes  no findings\n");
    row.error = "a\nb\x1b";
    CHECK(line_of(row, {5, true}) == "ok       ...vh  a\\x0Ab\\x1B\n");
    // An error that begins with the input's name needs no other.
    row.status = Status::failed;
    row.error = "in.anim: it is empty";
    CHECK(line_of(row, {5, true}) == "failed   in.anim: it is empty\n");
}

TEST_CASE("What several animations of a file say is said once", "[batch]") {
    std::vector<Row> rows(5, Row{"in.glb"});
    for (Row& row : rows) {
        row.status = Status::ok;
        row.output = "out";
        row.warnings = {"it slides"};
    }
    rows[1].warnings = {"it slides", "it jumps"};
    rows[3].warnings = {"it jumps"};
    rows[4].status = Status::failed;
    rows[4].error = "in.glb: no";
    rows[4].warnings.clear();
    rows.push_back(rows[4]);
    Repeated repeated = repeated_in(rows);
    const std::string ok = "ok       out           0 bytes  no findings\n";
    CHECK(table_lines(rows[0], {}, repeated) == ok + "         it slides (also in 2 other animations)\n");
    CHECK(table_lines(rows[1], {}, repeated) == ok + "         it jumps (also in 1 other animation)\n");
    CHECK(table_lines(rows[2], {}, repeated) == ok);
    CHECK(table_lines(rows[3], {}, repeated) == ok);
    CHECK(table_lines(rows[4], {}, repeated) == "failed   in.glb: no (also in 1 other animation)\n");
    CHECK(table_lines(rows[5], {}, repeated).empty());
}
