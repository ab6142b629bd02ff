// SPDX-License-Identifier: MIT
#include "formats/bvh/text/text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>

#include "formats/bvh/text/powers_of_ten.h"

namespace animbridge::bvh::text {

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

// The writer's hot loop. A value that is a whole number of 10^-k steps is found in doubles where their
// rounding cannot matter; everything else goes through std::to_chars.

namespace {

constexpr std::uint64_t eight_digits = 100'000'000;
constexpr int max_decimals = 15;
constexpr double max_steps = 1e15;  // 16 digits fit, and half steps are still exact

/// 0 to 99,999,999 as eight digits, one per byte (0 to 9), the first digit in the lowest byte. Each step
/// splits all lanes at once: by 10,000, then 100, then 10. The multiplications replace divisions and are
/// exact in these ranges.
std::uint64_t digits_of(std::uint64_t value) {
    const std::uint64_t high = value / 10000;
    const std::uint64_t fours = high | (value - high * 10000) << 32U;
    const std::uint64_t hundreds = ((fours * 10486U) >> 20U) & 0x0000007F0000007FU;
    const std::uint64_t twos = hundreds | (fours - hundreds * 100U) << 16U;
    const std::uint64_t tens = ((twos * 103U) >> 10U) & 0x000F000F000F000FU;
    return tens | (twos - tens * 10U) << 8U;
}

__extension__ using SixteenBytes = unsigned __int128;

/// Stores `text` without its first `count` bytes; `count` is below 16.
void put_from(char* out, SixteenBytes text, unsigned count) {
    const SixteenBytes rest = text >> (8U * count);
    std::memcpy(out, &rest, sizeof(rest));
}

/// Writes `steps` times 10^-decimals, for less than 10^16 steps and up to 15 decimals. It stores whole
/// registers, shifted to the number's first digit and then to its fraction; later writes overwrite the
/// excess.
inline char* put_steps(char* out, std::uint64_t steps, unsigned decimals, bool without_zeros) {
    constexpr std::uint64_t zeros = 0x3030303030303030U;
    const std::uint64_t first = digits_of(steps / eight_digits);
    const std::uint64_t second = digits_of(steps % eight_digits);
    const SixteenBytes text = SixteenBytes{second + zeros} << 64U | (first + zeros);
    const unsigned leading = first != 0 ? static_cast<unsigned>(std::countr_zero(first)) / 8
                                        : 8U + static_cast<unsigned>(std::countr_zero(second)) / 8;
    const unsigned point = 16 - decimals;
    const unsigned begin = std::min(leading, point - 1);
    put_from(out, text, begin);
    out += point - begin;
    unsigned fraction = decimals;
    if (without_zeros) {
        const unsigned trailing = second != 0 ? static_cast<unsigned>(std::countl_zero(second)) / 8
                                              : 8U + static_cast<unsigned>(std::countl_zero(first)) / 8;
        fraction -= std::min(fraction, trailing);
    }
    if (fraction == 0) {
        return out;
    }
    *out = '.';
    put_from(out + 1, text, point);
    return out + 1 + fraction;
}

char* put_sign(char* out, double value) {
    *out = '-';
    return out + (std::signbit(value) ? 1 : 0);
}

/// Writes the value if it is the double nearest to a whole number of 10^-decimals, else returns null. A
/// decimal with up to 15 digits is the only one for its double, so it is also the shortest.
inline char* put_if_decimal(char* out, double value, unsigned decimals) {
    const double size = std::fabs(value);
    const double steps = size * powers_of_ten[decimals];
    if (!(steps < max_steps)) {
        return nullptr;
    }
    // A tie may round either way: neither result reads back as `size`, so the test below refuses it.
    // NOLINTNEXTLINE(bugprone-incorrect-roundings)
    const auto nearest = static_cast<std::uint64_t>(static_cast<std::int64_t>(steps + 0.5));
    if (static_cast<double>(static_cast<std::int64_t>(nearest)) / powers_of_ten[decimals] != size) {
        return nullptr;
    }
    return put_steps(put_sign(out, value), nearest, decimals, true);
}

/// As many decimals as make 15 digits, estimated from the binary exponent; at most two too few.
unsigned decimals_of_15_digits(double value) {
    const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52U & 0x7FFU) - 1023;
    const int digits_before = ((exponent + 1) * 1233 >> 12U) + 1;
    return static_cast<unsigned>(std::clamp(15 - digits_before, 0, max_decimals));
}

inline char* put_shortest(char* out, double value) {
    if (char* const end = put_if_decimal(out, value, 6)) {
        return end;
    }
    if (char* const end = put_if_decimal(out, value, decimals_of_15_digits(value))) {
        return end;
    }
    const double size = std::fabs(value);
    if (size >= 1e-7 && size < max_steps) {
        return std::to_chars(out, out + max_number_bytes, value, std::chars_format::fixed).ptr;
    }
    return std::to_chars(out, out + max_number_bytes, value).ptr;
}

inline char* put_fixed(char* out, double value, int decimals) {
    if (decimals <= max_decimals) {
        const auto places = static_cast<unsigned>(decimals);
        const double steps = std::fabs(value) * powers_of_ten[places];
        if (steps < max_steps) {
            // The test below sends values near a half to std::to_chars.
            // NOLINTNEXTLINE(bugprone-incorrect-roundings)
            const auto nearest = static_cast<std::int64_t>(steps + 0.5);
            const double off = std::fabs(steps - static_cast<double>(nearest));
            // The product is off by at most half of this bound. Nearer to a half, only exact arithmetic
            // rounds correctly.
            if (0.5 - off > steps * 0x1p-52) {
                return put_steps(put_sign(out, value), static_cast<std::uint64_t>(nearest), places, false);
            }
        }
    }
    return std::to_chars(out, out + max_number_bytes, value, std::chars_format::fixed, decimals).ptr;
}

template <typename Put>
char* put_row(char* out, std::span<const double> values, Put&& put) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        *out = ' ';
        out = put(out + (i == 0 ? 0 : 1), values[i]);
    }
    return out;
}

}  // namespace

char* format_numbers(char* out, std::span<const double> values, std::optional<int> decimals) {
    if (!decimals) {
        return put_row(out, values, put_shortest);
    }
    return put_row(out, values,
                   [places = *decimals](char* at, double value) { return put_fixed(at, value, places); });
}

}  // namespace animbridge::bvh::text
