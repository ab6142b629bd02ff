// SPDX-License-Identifier: MIT
// Numbers as the viewer's libraries read them, by their grammar.
#include <cmath>
#include <limits>

#include "catch.h"
#include "formats/sl_anim/loader/parts.h"

using namespace animbridge::sl_anim::loader;

TEST_CASE("a value is a whole word", "[bvh-loader]") {
    for (const char* const word : {"1", "+1", "-1.", ".5", "1e5", "1E+05", "00012", "-0", "1e-99"}) {
        INFO(word);
        CHECK(cast_float(word).has_value());
    }
    for (const char* const word :
         {"",    "+",  ".",     "e5",        "1e", "1e+",  "0x10", "1x",   "1,5", "1e39", "-1e39",
          "--1", "in", "infin", "infinityx", "na", "nanx", "nan(", "nan)", "1\v", " 1",   "1 "}) {
        INFO(word);
        CHECK(!cast_float(word).has_value());
    }
    for (const char* const word : {"nan", "NaN", "-nan", "+NAN", "nan()", "nan(abc)"}) {
        INFO(word);
        const auto number = cast_float(word);
        CHECK((number.has_value() && std::isnan(*number)));
    }
    CHECK(cast_float("-inf") == -std::numeric_limits<float>::infinity());
    CHECK(cast_float("Infinity") == std::numeric_limits<float>::infinity());
    CHECK(cast_float("1e-60") == 0.0F);
    CHECK(std::signbit(*cast_float("-0")));
}
