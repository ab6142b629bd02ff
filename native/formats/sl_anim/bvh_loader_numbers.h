// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// Numbers as Second Life's BVH loader reads them, whatever the locale: the header's lines as C's scanf does,
/// which stops at what is no part of a number, and the values of a frame as a cast of the whole word.
namespace animbridge::sl_anim {

/// What scanf and isspace call a blank in the C locale.
[[nodiscard]] constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\n' || c == '\r';
}

[[nodiscard]] std::string_view without_leading_blanks(std::string_view text);

/// scanf's "%d" at the beginning of the text, blanks before it skipped. Beyond 64 bits the nearest 64-bit
/// number; of that the low 32 bits.
[[nodiscard]] std::optional<std::int32_t> scan_integer(std::string_view text);

/// scanf's "%f": the longest beginning that strtof takes; decimal, hexadecimal, infinite or not a number.
/// Too large is infinite.
[[nodiscard]] std::optional<float> scan_float(std::string_view text);

/// A whole word as a float: decimal, "nan", "nan(...)", "inf" or "infinity" in any case, with or without a
/// sign. Too large is none, too small is 0.
[[nodiscard]] std::optional<float> cast_float(std::string_view word);

}  // namespace animbridge::sl_anim
