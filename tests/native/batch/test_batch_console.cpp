// SPDX-License-Identifier: MIT
// The words of progress and of the table.
#include "batch/console.h"
#include "batch/row.h"
#include "catch.h"

using namespace animbridge::batch;

TEST_CASE("Progress says how fast it goes and how long it takes", "[batch]") {
    CHECK(progress_text(12, 48, 3.0) == "[######..................] 12/48  4 files/s  0:09 left");
    CHECK(progress_text(48, 48, 96.0) == "[########################] 48/48  0.5 files/s  0:00 left");
    CHECK(progress_text(1, 1, 0.0) == "[########################] 1/1  0 files/s  0:00 left");
    CHECK(clock_text(0.4) == "0:00");
    CHECK(clock_text(65.0) == "1:05");
    CHECK(clock_text(7384.0) == "2:03:04");
    CHECK(clock_text(-1.0) == "0:00");
}

TEST_CASE("A row is a line without control characters, and a long path shows its end", "[batch]") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(1234567) == "1,234,567");
    Row row{"in.anim"};
    row.output = "out/\u00E4.bvh";
    row.status = Status::ok;
    row.bytes_out = 30290;
    CHECK(table_lines(row, 12) == "ok       out/\u00E4.bvh         30,290 bytes  no findings\n");
    row.output = std::string(100, 'x') + "\u00E4.bvh";
    CHECK(table_lines(row, 12) == "ok       ...xxxx\u00E4.bvh      30,290 bytes  no findings\n");
    row.error = "a\nb\x1b";
    CHECK(table_lines(row, 5) == "ok       ...vh  a\\x0Ab\\x1B\n");
}
