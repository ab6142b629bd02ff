// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/base.h"

/// Numbers as in OniSplit's XML: those of .NET, in English.
namespace animbridge::oban::file {

/// Appends the fewest digits that read back to the same float: 0.25, 1.5E-05, 1E+09, -0, INF, -INF. Every NaN
/// becomes "NaN" and loses its other bits.
void append_float(std::string& text, RawFloat value);

/// Parses a decimal number, INF, -INF or NaN (the quiet one, 0x7FC00000). Null for any other text, and for a
/// number too large for a float. Rounded once, to the nearest.
[[nodiscard]] std::optional<RawFloat> parse_float(std::string_view word);

/// A whole number within [low, high].
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view word, std::int64_t low,
                                                        std::int64_t high);

}  // namespace animbridge::oban::file
