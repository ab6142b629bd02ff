// SPDX-License-Identifier: MIT
#include "formats/bvh/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace animbridge::bvh {

namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

const char* skip_digits(const char* p, const char* end) {
    return std::find_if(p, end, [](char c) { return !is_digit(c); });
}

/// Whether the unsigned token is digits with an optional point and an optional exponent.
bool is_decimal(std::string_view token) {
    const char* const begin = token.data();
    const char* const end = begin + token.size();
    const char* p = skip_digits(begin, end);
    auto digits = static_cast<std::size_t>(p - begin);
    if (p != end && *p == '.') {
        const char* const fraction = p + 1;
        p = skip_digits(fraction, end);
        digits += static_cast<std::size_t>(p - fraction);
    }
    if (digits == 0) {
        return false;
    }
    if (p != end && (*p == 'e' || *p == 'E')) {
        ++p;
        p += p != end && (*p == '+' || *p == '-') ? 1 : 0;
        const char* const exponent = p;
        p = skip_digits(exponent, end);
        if (p == exponent) {
            return false;
        }
    }
    return p == end;
}

/// Whether a number outside the range of doubles is too large rather than too small. The exponent alone
/// decides unless the token has as many digits; only then do they count too.
bool is_too_large(std::string_view token) {
    const std::size_t e = std::min(token.find_first_of("eE"), token.size());
    const std::string_view digits = token.substr(0, e);
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const std::size_t first = digits.find_first_of("123456789");
    const auto places =
        first < point ? static_cast<std::int64_t>(point - first) : -static_cast<std::int64_t>(first - point);
    std::int64_t exponent = 0;
    if (e < token.size()) {
        std::string_view text = token.substr(e + 1);
        text.remove_prefix(text.starts_with('+') ? 1 : 0);
        const auto parsed = std::from_chars(text.data(), text.data() + text.size(), exponent);
        if (parsed.ec != std::errc()) {
            return !text.starts_with('-');
        }
    }
    return places > -exponent;
}

}  // namespace

ParsedNumber parse_number(std::string_view token) {
    const bool negative = token.starts_with('-');
    token.remove_prefix(negative || token.starts_with('+') ? 1 : 0);
    if (!is_decimal(token)) {
        return {0, NumberProblem::not_a_number};
    }
    double value = 0;
    const auto parsed = std::from_chars(token.data(), token.data() + token.size(), value);
    if (parsed.ec == std::errc::result_out_of_range) {
        if (is_too_large(token)) {
            return {0, NumberProblem::too_large};
        }
        value = 0;
    }
    if (!std::isfinite(value)) {
        return {0, NumberProblem::too_large};
    }
    return {negative ? -value : value, NumberProblem::none};
}

}  // namespace animbridge::bvh
