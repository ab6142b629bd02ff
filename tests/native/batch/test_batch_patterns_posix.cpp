// SPDX-License-Identifier: MIT
// Patterns match as the C library's fnmatch says, for bytes that are ASCII.
#include <fnmatch.h>

#include <random>
#include <string>

#include "batch/plan/plan.h"
#include "catch.h"

using namespace animbridge::batch::plan;

namespace {

std::string random_text(std::mt19937& dice, const std::string& letters, std::size_t longest) {
    std::string text(dice() % (longest + 1), ' ');
    for (char& c : text) {
        c = letters[dice() % letters.size()];
    }
    return text;
}

}  // namespace

TEST_CASE("Names match patterns as for fnmatch", "[batch]") {
    std::mt19937 dice(18);
    std::size_t matched = 0;
    for (int i = 0; i < 200'000; ++i) {
        const std::string name = random_text(dice, "abc.", 6);
        const std::string pattern = random_text(dice, "abc.*?[]!-", 7);
        if (pattern.find("[.") != std::string::npos) {
            continue;  // a collating symbol, which Python and many shells do not have
        }
        const bool expected = ::fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
        INFO(name << " against " << pattern);
        REQUIRE(name_matches(name, pattern) == expected);
        matched += expected ? 1 : 0;
    }
    CHECK(matched > 5'000);
}
