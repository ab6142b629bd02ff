// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// Reads numbers between blanks from `cursor` until `out` is full, the text ends, or a token is a problem.
/// How many were read; `cursor` is then before the next token, or at the blanks before it.
[[nodiscard]] std::size_t parse_numbers(const char*& cursor, const char* end, std::span<double> out);

/// The same without vector registers, for machines that have none of the kind and for tests that hold the two
/// together.
[[nodiscard]] std::size_t parse_numbers_portably(const char*& cursor, const char* end, std::span<double> out);

/// format_numbers may write to so many bytes for each value.
inline constexpr std::size_t max_number_bytes = 352;

/// Finite values with single blanks between them; the end of what was written. Without `decimals` each has
/// the fewest digits that read back to the same double, in plain notation from 1e-7 to 1e21 and with an
/// exponent beyond. With 0 to 17 `decimals` it is printf's "%.*f" in the C locale: correctly rounded, ties to
/// even.
char* format_numbers(char* out, std::span<const double> values, std::optional<int> decimals);

}  // namespace animbridge::bvh
