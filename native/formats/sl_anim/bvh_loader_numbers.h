// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// Numbers as Second Life's BVH loader reads them, whatever the locale. Header lines go through C's scanf,
/// which stops at the first character that does not fit; a frame's values are casts of whole words.
namespace animbridge::sl_anim {

/// What scanf and isspace count as blank in the C locale.
[[nodiscard]] constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\n' || c == '\r';
}

[[nodiscard]] std::string_view without_leading_blanks(std::string_view text);

/// scanf's "%d" after leading blanks. A number beyond 64 bits becomes the nearest 64-bit number; of that, the
/// low 32 bits count.
[[nodiscard]] std::optional<std::int32_t> scan_integer(std::string_view text);

/// scanf's "%f" after leading blanks: the longest beginning that strtof takes, whether decimal, hexadecimal,
/// infinite or not a number. Too large becomes infinite.
[[nodiscard]] std::optional<float> scan_float(std::string_view text);

/// A whole word as a float: decimal, "nan", "nan(...)", "inf" or "infinity" in any case, with an optional
/// sign. Null if too large; 0 if too small.
[[nodiscard]] std::optional<float> cast_float(std::string_view word);

}  // namespace animbridge::sl_anim
