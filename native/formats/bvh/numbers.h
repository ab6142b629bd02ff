// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// Decimal text and doubles, whatever the locale.
namespace animbridge::bvh {

/// What separates words: everything that C's isspace knows.
[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

enum class NumberProblem : std::uint8_t { none, not_a_number, too_large };

struct ParsedNumber {
    double value = 0;
    NumberProblem problem = NumberProblem::none;
};

/// A whole token: [+-] digits with or without a point, an exponent; no "nan", "inf" or hexadecimal digits.
/// The value is strtod's in the C locale, bit for bit: correctly rounded, 0 where it is too small; what
/// strtod takes for infinite is too large.
[[nodiscard]] ParsedNumber parse_number(std::string_view token);

/// The hot loop: reads numbers between blanks from `cursor` until `out` is full or a token needs
/// parse_number, as those at the very end of the text do. How many were read; `cursor` is then behind the
/// last one.
[[nodiscard]] std::size_t parse_plain_numbers(const char*& cursor, const char* end, std::span<double> out);

/// The most bytes of a number that format_shortest or format_fixed writes, and room for their wide stores.
inline constexpr std::size_t max_number_bytes = 352;

/// The fewest digits that read back to the same double; finite values. The end of what was written.
char* format_shortest(char* out, double value);

/// As printf's "%.*f" has it in the C locale: correctly rounded, ties to even; 0 to 17 decimals.
char* format_fixed(char* out, double value, int decimals);

}  // namespace animbridge::bvh
