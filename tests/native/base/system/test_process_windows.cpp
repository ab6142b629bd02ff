// SPDX-License-Identifier: MIT
// Other programs on Windows, run to their end: the system's own command interpreter.
#include <cstdlib>
#include <string>

#include "base/system/system.h"
#include "catch.h"
#include "support.h"

using namespace animbridge;

namespace {

std::string interpreter() {
    const char* const path = std::getenv("COMSPEC");
    return path == nullptr ? "C:\\windows\\system32\\cmd.exe" : path;
}

/// Runs the lines of a batch file.
Result<ProcessEnd> run_lines(const std::string& lines, std::size_t most = 1U << 20U, double seconds = 30.0) {
    const test::ScratchFolder scratch;
    const std::string path = (scratch.path() / "lines.cmd").string();
    const std::string text = "@echo off\r\n" + lines;
    test::save(path, {text.begin(), text.end()});
    return run_process({interpreter(), {"/c", path}, {}, most, seconds});
}

}  // namespace

TEST_CASE("a program's status and both its streams are what it gave", "[process-windows]") {
    for (const int status : {0, 1, 3, 255}) {
        const auto end = run_lines("echo out\r\necho err 1>&2\r\nexit " + std::to_string(status) + "\r\n");
        REQUIRE(end.has_value());
        CHECK(end->exit_status == status);
        CHECK(end->killed == Killed::no);
        CHECK(text_of(end->output).starts_with("out"));
        CHECK(end->error_text.starts_with("err"));
    }
}

TEST_CASE("a program that runs too long is killed", "[process-windows]") {
    const auto end = run_lines(":again\r\ngoto again\r\n", 1000, 0.5);
    REQUIRE(end.has_value());
    CHECK(end->killed == Killed::time);
}

TEST_CASE("a program that writes too much is killed", "[process-windows]") {
    const auto end = run_lines(":again\r\necho much\r\ngoto again\r\n", 10'000);
    REQUIRE(end.has_value());
    CHECK(end->killed == Killed::output);
}

TEST_CASE("a program that cannot be started is an error with its path", "[process-windows]") {
    for (const char* const path : {"C:\\no\\such\\program.exe", "C:\\windows", ""}) {
        const auto end = run_process({path, {}, {}, 1000, 1.0});
        REQUIRE_FALSE(end.has_value());
        CHECK(end.error().code == ErrorCode::io);
        CHECK(end.error().message().find(path) != std::string::npos);
    }
}
