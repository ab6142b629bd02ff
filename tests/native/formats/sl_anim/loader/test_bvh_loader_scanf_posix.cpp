// SPDX-License-Identifier: MIT
// Numbers as the viewer's libraries read them, compared with the C library. That of Windows takes "1e" for a
// number, and rounds some others.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "catch.h"
#include "formats/sl_anim/loader/parts.h"

using namespace animbridge::sl_anim::loader;

namespace {

std::uint32_t float_bits(float value) {
    std::uint32_t result = 0;
    std::memcpy(&result, &value, sizeof(result));
    return std::isnan(value) ? 0x7fc00000U : result;
}

/// Compares with this machine's scanf in the C locale.
void like_scanf(const std::string& text) {
    INFO("\"" << text << "\"");
    float number = 0;
    const bool is_float =
        std::sscanf(text.c_str(), "%f", &number) == 1;  // NOLINT(cert-err34-c): the reference
    const auto scanned = scan_float(text);
    CHECK(scanned.has_value() == is_float);
    if (is_float && scanned) {
        CHECK(float_bits(*scanned) == float_bits(number));
    }
    int integer = 0;
    const bool is_integer =
        std::sscanf(text.c_str(), "%d", &integer) == 1;  // NOLINT(cert-err34-c): the reference
    const auto whole = scan_integer(text);
    CHECK(whole.has_value() == is_integer);
    if (is_integer && whole) {
        CHECK(*whole == integer);
    }
}

}  // namespace

TEST_CASE("the header's numbers are scanf's", "[bvh-loader]") {
    for (const char* const text : {"1",
                                   " \t\v\f 12.5x",
                                   "-3",
                                   "+3",
                                   "--3",
                                   "",
                                   " ",
                                   ".",
                                   "-",
                                   "+.",
                                   ".5",
                                   "5.",
                                   "-.5e2",
                                   "1e",
                                   "1e+",
                                   "1e5",
                                   "1E-5z",
                                   "1.2.3",
                                   "0x1p-2",
                                   "0X.8",
                                   "0x",
                                   "0xg",
                                   "0x1.8P3",
                                   "0x1p",
                                   "inf",
                                   "-Infinity",
                                   "infx",
                                   "NAN",
                                   "-nan",
                                   "nan(1)",
                                   "1e39",
                                   "-1e39",
                                   "1e-50",
                                   "0e99999",
                                   "1e-99999999999999999999",
                                   "1e99999999999999999999",
                                   "3.4028236e38",
                                   "1.17549435e-38",
                                   "1e-45",
                                   "7e-46",
                                   "0.000000000000000000000000000000000000000000000001",
                                   "2147483647",
                                   "2147483648",
                                   "-2147483649",
                                   "4294967296",
                                   "9223372036854775807",
                                   "9223372036854775808",
                                   "-9223372036854775808",
                                   "-9223372036854775809",
                                   "99999999999999999999999",
                                   "0x10",
                                   "010",
                                   "1,5"}) {
        like_scanf(text);
    }
}

TEST_CASE("rounding is strtof's", "[bvh-loader]") {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> value(-400, 400);
    for (int i = 0; i < 20000; ++i) {
        char text[64];
        std::snprintf(text, sizeof(text), "%.*f", i % 17, value(random));
        const auto number = cast_float(text);
        REQUIRE(number.has_value());
        REQUIRE(float_bits(*number) == float_bits(std::strtof(text, nullptr)));
    }
    // Half-way between two floats, and next to it: going through double would round twice.
    for (const char* const text :
         {"1.00000005960464477539062500", "1.00000005960464477539062501", "1.00000005960464477539062499",
          "16777217", "16777219", "1e-45", "8e-46"}) {
        CHECK(float_bits(*cast_float(text)) == float_bits(std::strtof(text, nullptr)));
    }
}
