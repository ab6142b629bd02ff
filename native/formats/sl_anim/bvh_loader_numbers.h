// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// Numbers as Second Life's BVH loader reads them, in every locale. Header lines go through C's scanf, which
/// stops at the first character that does not fit; a frame's values are casts of whole words.
namespace animbridge::sl_anim {

/// The characters that scanf and isspace treat as blank in the C locale.
[[nodiscard]] constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\n' || c == '\r';
}

[[nodiscard]] std::string_view without_leading_blanks(std::string_view text);

/// scanf's "%d" after leading blanks. A number beyond 64 bits becomes the nearest 64-bit number; the result
/// is its low 32 bits.
[[nodiscard]] std::optional<std::int32_t> scan_integer(std::string_view text);

/// scanf's "%f" after leading blanks: the longest prefix that strtof accepts, whether decimal, hexadecimal,
/// infinite or not a number. A number that is too large becomes infinite.
[[nodiscard]] std::optional<float> scan_float(std::string_view text);

/// A whole word as a float: decimal, "nan", "nan(...)", "inf" or "infinity" in any case, with an optional
/// sign. Null if the number is too large; 0 if it is too small.
[[nodiscard]] std::optional<float> cast_float(std::string_view word);

}  // namespace animbridge::sl_anim
