// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// Decimal text to doubles and back, exactly and whatever the locale. Our own, because it is faster here than
/// fast_float: blocks of digits in vector registers where the processor has them.
namespace animbridge::bvh::text {

/// The characters that separate words: those of C's isspace.
[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

enum class NumberProblem : std::uint8_t { none, not_a_number, too_large };

struct ParsedNumber {
    double value = 0;
    NumberProblem problem = NumberProblem::none;
};

/// Parses a whole token: [+-] digits with an optional point and exponent; not "nan", "inf" or hexadecimal.
/// The value equals strtod's in the C locale, bit for bit: correctly rounded, and 0 if too small. Values that
/// strtod makes infinite are too large.
[[nodiscard]] ParsedNumber parse_number(std::string_view token);

/// Reads numbers between blanks from `cursor` until `out` is full, the text ends, or a token is not a number.
/// Returns how many it read; `cursor` then points at the next token or the blanks before it.
[[nodiscard]] std::size_t parse_numbers(const char*& cursor, const char* end, std::span<double> out);

/// parse_numbers without vector registers, for machines that lack them and for tests that compare both.
[[nodiscard]] std::size_t parse_numbers_portably(const char*& cursor, const char* end, std::span<double> out);

/// format_numbers may write up to this many bytes per value.
inline constexpr std::size_t max_number_bytes = 352;

/// Writes finite values with single spaces between them and returns the end of the text. Without `decimals`,
/// each value has the fewest digits that read back to the same double: in plain notation from 1e-7 to 1e15
/// and wherever 15 decimals are enough, otherwise as std::to_chars chooses. With 0 to 17 `decimals`, the text
/// is that of printf's "%.*f" in the C locale: correctly rounded, ties to even.
char* format_numbers(char* out, std::span<const double> values, std::optional<int> decimals);

}  // namespace animbridge::bvh::text
