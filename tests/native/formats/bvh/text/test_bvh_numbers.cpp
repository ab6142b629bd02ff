// SPDX-License-Identifier: MIT
// The numbers of a BVH compared with the C library's strtod and snprintf in the C locale, bit for bit.
#include <algorithm>
#include <bit>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "formats/bvh/text/text.h"

using namespace animbridge::bvh::text;

namespace {

using Random = std::mt19937_64;

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

std::string printed(const char* format, int digits, double value) {
    std::string text(1100, '\0');
    // The formats come from this file.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    const int size = std::snprintf(text.data(), text.size(), format, digits, value);
    text.resize(static_cast<std::size_t>(size));
    return text;
}

/// Any finite double.
double any_double(Random& random) {
    while (true) {
        const auto value = std::bit_cast<double>(random());
        if (std::isfinite(value)) {
            return value;
        }
    }
}

std::string random_digits(Random& random, std::size_t most) {
    std::string digits(random() % most + 1, '0');
    for (char& c : digits) {
        c = static_cast<char>('0' + random() % 10);
    }
    return digits;
}

/// A number as in real files, or an unusual one.
std::string random_number(Random& random) {
    const auto usual = static_cast<double>(static_cast<std::int64_t>(random() % 720000001) - 360000000) / 1e6;
    switch (random() % 8) {
        case 0:
            return printed("%.*f", 6, usual);
        case 1:
            return printed("%.*f", static_cast<int>(random() % 18), usual);
        case 2:
            return printed("%.*g", static_cast<int>(random() % 20 + 1), usual * usual * usual);
        case 3:
            return printed("%.*e", static_cast<int>(random() % 20), any_double(random));
        case 4:
            return printed("%.*g", 17, any_double(random));
        case 5:
            return random_digits(random, 25) + "." + random_digits(random, 25);
        case 6:
            return (random() % 2 == 0 ? "+" : "-") + random_digits(random, 12) + ".";
        default:
            return "." + random_digits(random, 20) + "e" +
                   std::to_string(static_cast<int>(random() % 700) - 350);
    }
}

/// The first token that is parsed differently from strtod; empty if there is none.
std::string first_difference(const std::string& text) {
    std::vector<double> fast(text.size() / 2 + 1);
    std::vector<double> portable(fast.size());
    const char* const end = text.data() + text.size();
    const char* cursor = text.data();
    const char* portable_cursor = text.data();
    fast.resize(parse_numbers(cursor, end, fast));
    portable.resize(parse_numbers_portably(portable_cursor, end, portable));
    if (cursor != end || portable_cursor != end) {
        return "stopped at " + std::string(std::min(cursor, portable_cursor), end).substr(0, 60);
    }
    const char* place = text.data();
    for (std::size_t i = 0; i < fast.size(); ++i) {
        char* behind = nullptr;
        const double expected = std::strtod(place, &behind);
        if (bits(fast[i]) != bits(expected) || bits(portable[i]) != bits(expected)) {
            return {place, static_cast<const char*>(behind)};
        }
        place = behind;
    }
    return std::strtod(place, nullptr) == 0 && fast.size() == portable.size() ? "" : "too few numbers";
}

/// The decimal of the value half-way between two doubles, with all its digits.
std::string half_way_above(double value) {
    const auto middle = static_cast<long double>(value) +
                        (static_cast<long double>(std::nextafter(value, HUGE_VAL)) - value) / 2;
    std::string text(1200, '\0');
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    const int size = std::snprintf(text.data(), text.size(), "%.*Le", 780, middle);
    text.resize(static_cast<std::size_t>(size));
    const std::size_t exponent = text.find('e');
    const std::size_t last = text.find_last_not_of('0', exponent - 1);
    return text.substr(0, last + 1) + text.substr(exponent);
}

std::string formatted(double value, std::optional<int> decimals) {
    std::string text(max_number_bytes, '\0');
    const char* const end = format_numbers(text.data(), {&value, 1}, decimals);
    text.resize(static_cast<std::size_t>(end - text.data()));
    return text;
}

/// The significant digits, without point, exponent and the zeros around them.
std::string significant(std::string text) {
    text = text.substr(0, text.find_first_of("eE"));
    std::erase_if(text, [](char c) { return c == '.' || c == '-'; });
    const std::size_t first = text.find_first_not_of('0');
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of('0') - first + 1);
}

std::string shortest_digits(double value) {
    std::string text(40, '\0');
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
    text.resize(static_cast<std::size_t>(end.ptr - text.data()));
    return significant(text);
}

/// A value to write: usual in motions, a tie, or any at all.
double random_value(Random& random) {
    const auto whole = static_cast<double>(static_cast<std::int64_t>(random() % 2000000001) - 1000000000);
    switch (random() % 6) {
        case 0:
            return whole / 1e6;
        case 1:
            return whole * 1e-7;
        case 2:
            return whole / 1024;  // ties at few decimals
        case 3:
            return std::nextafter(whole / 64, random() % 2 == 0 ? 1e300 : -1e300);
        case 4:
            return static_cast<double>(static_cast<float>(whole * 1.234567e-6));
        default:
            return any_double(random);
    }
}

}  // namespace

TEST_CASE("numbers are those of strtod", "[bvh-numbers]") {
    Random random(20240501);
    constexpr std::string_view blanks = " \t\n\r\v\f";
    std::string text;
    for (std::size_t i = 0; i < 2'000'000; ++i) {
        std::string number = random_number(random);
        // Leave out infinite ones.
        if (std::isfinite(std::strtod(number.c_str(), nullptr))) {
            text += number;
            text.append(random() % 8 == 0 ? random() % 3 : 1, blanks[random() % blanks.size()]);
            text += ' ';
        }
        if (text.size() > 100000) {
            REQUIRE(first_difference(text).empty());
            text.clear();
        }
    }
    CHECK(first_difference(text).empty());
}

TEST_CASE("numbers half way between two doubles are rounded as strtod rounds them", "[bvh-numbers]") {
    Random random(7);
    std::string text;
    for (std::size_t i = 0; i < 6'000; ++i) {
        const double value = i % 3 == 0 ? any_double(random) : random_value(random);
        if (std::fabs(value) > 1e308) {
            continue;
        }
        const std::string tie = half_way_above(value);
        const std::size_t exponent = tie.find('e');
        text += tie + " " + tie.substr(0, exponent) + "00000000000000000000001" + tie.substr(exponent) + " " +
                tie.substr(0, exponent - 1) + static_cast<char>(tie[exponent - 1] - 1) + "9" +
                tie.substr(exponent) + "\n";
    }
    CHECK(first_difference(text).empty());
}

TEST_CASE("numbers at the edges of the fast paths", "[bvh-numbers]") {
    const std::string thousand_zeros(1000, '0');
    for (const std::string& number : std::vector<std::string>{"9007199254740991",
                                                              "9007199254740992",
                                                              "9007199254740993",
                                                              "9007199254740994",
                                                              "900719925474099.3",
                                                              "90071992547409.93",
                                                              "9007199254740993.0",
                                                              "0.9007199254740993",
                                                              "9007199254740992e22",
                                                              "9007199254740993e-22",
                                                              "1e22",
                                                              "1e23",
                                                              "123456789012345",
                                                              "12345678901234.5",
                                                              "1234567890123456",
                                                              "-12345678901234",
                                                              "-123456789012345",
                                                              "-1.2345678901234",
                                                              "-.5",
                                                              "+.5",
                                                              "5.",
                                                              "-5.",
                                                              "0",
                                                              "-0",
                                                              "+0",
                                                              "-0.0",
                                                              "00000000000000000000000",
                                                              "0000000000000000000001.5",
                                                              "1.00000000000000000000000000",
                                                              "0.000000000000000000000000000001",
                                                              "1e-400",
                                                              "-1e-400",
                                                              "4.9e-324",
                                                              "2.4703282292062327e-324",
                                                              "2.4703282292062328e-324",
                                                              "2.2250738585072011e-308",
                                                              "2.2250738585072014e-308",
                                                              "1.7976931348623157e308",
                                                              "1.7976931348623158e308",
                                                              "0e99999999999999999999",
                                                              "0.0e-99999999999999999999",
                                                              "1e-99999999999999999999",
                                                              "1e+5",
                                                              "1E5",
                                                              "1e05",
                                                              "0." + thousand_zeros + "1e1001",
                                                              "1" + thousand_zeros + "e-1000",
                                                              thousand_zeros + "1"}) {
        INFO(number);
        const ParsedNumber parsed = parse_number(number);
        CHECK(parsed.problem == NumberProblem::none);
        CHECK(bits(parsed.value) == bits(std::strtod(number.c_str(), nullptr)));
        // Once where the register path applies, and once at the very end of a text.
        CHECK(first_difference(number + std::string(40, ' ') + number).empty());
    }
}

TEST_CASE("what is no number, and what is too large", "[bvh-numbers]") {
    for (const char* text :
         {"",      "+",     "-",     ".",    "-.",  "e5",    "1e",   "1e+",      "1.2.3", "..5",
          "1,5",   "--1",   "+-1",   "nan",  "NAN", "inf",   "-inf", "infinity", "0x10",  "1f",
          "1_000", "1e5.0", "0x1p3", "\xff", "12a", "1e5e5", "-",    "1-2"}) {
        INFO(text);
        CHECK(parse_number(text).problem == NumberProblem::not_a_number);
        const std::string padded = "1.5 " + std::string(text) + " 2.5" + std::string(40, ' ');
        const char* cursor = padded.data();
        std::vector<double> out(3);
        if (*text != '\0') {
            CHECK(parse_numbers(cursor, padded.data() + padded.size(), out) == 1);
            CHECK(cursor == padded.data() + 4);
        }
    }
    for (const char* text :
         {"1e400", "-1e400", "1.7976931348623159e308", "1e99999999999999999999",
          "179769313486231590000000000000000000000000000000000000000000000000000000000000000000000"
          "e230"}) {
        INFO(text);
        CHECK(parse_number(text).problem == NumberProblem::too_large);
    }
    CHECK(parse_number(std::string_view("1\0", 2)).problem == NumberProblem::not_a_number);
}

TEST_CASE("no more numbers are read than asked for", "[bvh-numbers]") {
    const std::string text = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28";
    for (std::size_t wanted = 0; wanted <= 28; ++wanted) {
        std::vector<double> out(wanted);
        const char* cursor = text.data();
        CHECK(parse_numbers(cursor, text.data() + text.size(), out) == wanted);
        char* end = nullptr;
        CHECK(std::strtod(cursor, &end) == (wanted < 28 ? static_cast<double>(wanted + 1) : 0.0));
    }
}

TEST_CASE("fixed decimals are those of snprintf", "[bvh-numbers]") {
    Random random(3);
    for (std::size_t i = 0; i < 1'000'000; ++i) {
        const double value = random_value(random);
        const int decimals = i % 2 == 0 ? 6 : static_cast<int>(random() % 18);
        if (formatted(value, decimals) != printed("%.*f", decimals, value)) {
            FAIL(formatted(value, decimals) << " for " << printed("%.*f", decimals, value));
        }
    }
    for (const double value :
         {0.0, -0.0, 0.5, 1.5, 2.5, -0.5, 0.05, 0.25, 1e-7, -1e-7, 999999.9999995, 0.9999995,
          999999999.9999999, 1e15, 1e15 - 0.5, 123456789012345.6, 4.9e-324, 1.7e308}) {
        for (int decimals = 0; decimals <= 17; ++decimals) {
            CHECK(formatted(value, decimals) == printed("%.*f", decimals, value));
        }
    }
}

TEST_CASE("the shortest text reads back, and none is shorter", "[bvh-numbers]") {
    Random random(4);
    for (std::size_t i = 0; i < 600'000; ++i) {
        const double value = random_value(random);
        const std::string text = formatted(value, {});
        // Large whole numbers are written in full, which takes fewer characters than an exponent.
        const bool fewest = std::fabs(value) >= 1e15 || significant(text) == shortest_digits(value);
        if (bits(std::strtod(text.c_str(), nullptr)) != bits(value) || !fewest) {
            FAIL(text << " for " << printed("%.*g", 17, value));
        }
    }
    CHECK(formatted(0.0, {}) == "0");
    CHECK(formatted(-0.0, {}) == "-0");
    CHECK(formatted(100.0, {}) == "100");
    CHECK(formatted(-1.25, {}) == "-1.25");
    CHECK(formatted(0.05, {}) == "0.05");
    CHECK(formatted(0.0333333, {}) == "0.0333333");
    CHECK(formatted(1e-7, {}) == "0.0000001");
    CHECK(formatted(1.5e-8, {}) == "0.000000015");
    CHECK(formatted(1.5e-16, {}) == "1.5e-16");
    CHECK(formatted(123456789012345680.0, {}) == "123456789012345680");
    CHECK(formatted(1e15, {}) == "1e+15");
    CHECK(formatted(1e300, {}) == "1e+300");
    CHECK(formatted(5e-324, {}) == "5e-324");
    CHECK(formatted(0.1 + 0.2, {}) == "0.30000000000000004");
}

TEST_CASE("rows have single blanks between their numbers", "[bvh-numbers]") {
    const std::vector<double> values = {1, -2.5, 0.125};
    std::string text(3 * max_number_bytes, '\0');
    text.resize(static_cast<std::size_t>(format_numbers(text.data(), values, {}) - text.data()));
    CHECK(text == "1 -2.5 0.125");
    CHECK(format_numbers(text.data(), {}, 6) == text.data());
}

TEST_CASE("the locale changes nothing", "[bvh-numbers]") {
    const std::string before = std::setlocale(LC_ALL, nullptr);
    const char* found = nullptr;
    for (const char* name :
         {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "pt_BR.UTF-8", "nl_NL.UTF-8"}) {
        found = found == nullptr ? std::setlocale(LC_ALL, name) : found;
    }
    if (found == nullptr) {
        WARN("no locale with a decimal comma is installed here: tried the C locale alone");
    } else {
        REQUIRE(std::localeconv()->decimal_point == std::string(","));
    }
    CHECK(parse_number("1.5").value == 1.5);
    CHECK(parse_number("1.50000000000000000000000000001").value == 1.5);
    CHECK(parse_number("1,5").problem == NumberProblem::not_a_number);
    CHECK(parse_number("1e-5").value == 1e-5);
    CHECK(formatted(1234567.5, 6) == "1234567.500000");
    CHECK(formatted(1e20 + 0.5, 6) == "100000000000000000000.000000");
    CHECK(formatted(0.1 + 0.2, {}) == "0.30000000000000004");
    CHECK(formatted(1234.5, {}) == "1234.5");
    std::setlocale(LC_ALL, before.c_str());
}
