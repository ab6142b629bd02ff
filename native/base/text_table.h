// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"

/// Numbers and columns of text for reports that people read.
namespace animbridge {

[[nodiscard]] std::string left_aligned(const std::string& text, std::size_t width);
[[nodiscard]] std::string right_aligned(const std::string& text, std::size_t width);

/// With this many decimals.
[[nodiscard]] std::string fixed_text(double value, int decimals);
/// With six significant digits, enough for people; the JSON report has them all.
[[nodiscard]] std::string six_digits(const Json& number);

/// With at most three digits after the point: "237", "12.5".
[[nodiscard]] std::string shown_number(double value);

/// A measured difference in millimetres or degrees, as precisely as it can be seen: "0" below a thousandth,
/// else at most three digits after the point, and none from 100 on.
[[nodiscard]] std::string measured_text(double value);

/// A string unchanged, bytes that are not UTF-8 as "hex:...", anything else as JSON.
[[nodiscard]] std::string plain_text(const Json& value);

/// "a, b", with six digits per number; "none" if the list is empty.
[[nodiscard]] std::string listed_text(const Json& items);

}  // namespace animbridge
