// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json.h"

/// Text columns of reports for people.
namespace animbridge {

[[nodiscard]] std::string left_aligned(const std::string& text, std::size_t width);
[[nodiscard]] std::string right_aligned(const std::string& text, std::size_t width);

/// With this many decimals.
[[nodiscard]] std::string fixed_text(double value, int decimals);
/// With six significant digits, enough for a person; the JSON report has them all.
[[nodiscard]] std::string six_digits(const Json& number);

/// A string as it is, bytes that are not UTF-8 as "hex:...", any other value as JSON.
[[nodiscard]] std::string plain_text(const Json& value);

/// "a, b", with six digits per number; "none" if the list is empty.
[[nodiscard]] std::string listed_text(const Json& items);

}  // namespace animbridge
