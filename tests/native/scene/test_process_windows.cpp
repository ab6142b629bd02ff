// SPDX-License-Identifier: MIT
// Other programs on Windows, run to their end: the system's own command interpreter.
#include <cstdlib>
#include <string>

#include "base/process.h"
#include "catch.h"

using namespace animbridge;

namespace {

std::string interpreter() {
    const char* const path = std::getenv("COMSPEC");
    return path == nullptr ? "C:\\windows\\system32\\cmd.exe" : path;
}

Result<ProcessEnd> run_words(const std::string& words, std::size_t most = 1U << 20U, double seconds = 30.0) {
    return run_process({interpreter(), {"/c", words}, {}, most, seconds});
}

}  // namespace

TEST_CASE("a program's status and both its streams are what it gave", "[process-windows]") {
    for (const int status : {0, 1, 3, 255}) {
        const auto end = run_words("(echo out)&(echo err 1>&2)&exit " + std::to_string(status));
        REQUIRE(end.has_value());
        CHECK(end->exit_status == status);
        CHECK(end->killed == Killed::no);
        CHECK(text_of(end->output).starts_with("out"));
        CHECK(end->error_text.starts_with("err"));
    }
}

TEST_CASE("a program that runs too long is killed", "[process-windows]") {
    const auto end = run_words("for /l %i in (1,0,2) do @rem", 1000, 0.5);
    REQUIRE(end.has_value());
    CHECK(end->killed == Killed::time);
}

TEST_CASE("a program that writes too much is killed", "[process-windows]") {
    const auto end = run_words("for /l %i in (1,0,2) do @echo much", 10'000);
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
