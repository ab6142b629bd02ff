// SPDX-License-Identifier: MIT
#include "formats/oban/xml_numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <system_error>

namespace animbridge::oban {

namespace {

constexpr int fewest_exponent = -5;  // 0.0001 is written in full, 1E-05 is not
constexpr int most_digits_before_point = 9;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The digits of a finite, positive float, and the first digit's power of ten.
struct Digits {
    std::array<char, 16> text{};
    int count = 0;
    int exponent = 0;
};

Digits shortest_digits(float size) {
    std::array<char, 32> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), size, std::chars_format::scientific);
    const char* const e = std::find(buffer.data(), end.ptr, 'e');
    Digits digits;
    for (const char* p = buffer.data(); p != e; ++p) {
        if (is_digit(*p)) {
            digits.text[static_cast<std::size_t>(digits.count++)] = *p;
        }
    }
    std::from_chars(e[1] == '+' ? e + 2 : e + 1, end.ptr, digits.exponent);
    return digits;
}

void append_with_exponent(std::string& text, const Digits& digits) {
    text += digits.text[0];
    if (digits.count > 1) {
        text += '.';
        text.append(digits.text.data() + 1, static_cast<std::size_t>(digits.count - 1));
    }
    const int size = std::abs(digits.exponent);
    text += digits.exponent < 0 ? "E-" : "E+";
    text += static_cast<char>('0' + size / 10);
    text += static_cast<char>('0' + size % 10);
}

void append_plain(std::string& text, const Digits& digits) {
    const int before_point = digits.exponent + 1;
    const auto count = static_cast<std::size_t>(digits.count);
    if (before_point <= 0) {
        text += "0.";
        text.append(static_cast<std::size_t>(-before_point), '0');
        text.append(digits.text.data(), count);
        return;
    }
    const auto whole = static_cast<std::size_t>(before_point);
    text.append(digits.text.data(), std::min(whole, count));
    text.append(whole - std::min(whole, count), '0');
    if (count > whole) {
        text += '.';
        text.append(digits.text.data() + whole, count - whole);
    }
}

/// The parts before and after the exponent's letter.
struct Decimal {
    std::string_view mantissa;
    std::string_view exponent;
};

std::optional<Decimal> decimal_in(std::string_view word) {
    const std::size_t e = word.find_first_of("eE");
    Decimal decimal{word.substr(0, e), e == std::string_view::npos ? "0" : word.substr(e + 1)};
    std::string_view power = decimal.exponent;
    if (!power.empty() && (power[0] == '+' || power[0] == '-')) {
        power.remove_prefix(1);
    }
    const auto points = std::count(decimal.mantissa.begin(), decimal.mantissa.end(), '.');
    const auto digits = std::count_if(decimal.mantissa.begin(), decimal.mantissa.end(), is_digit);
    const bool whole_mantissa = points <= 1 && digits > 0 && points + digits == std::ssize(decimal.mantissa);
    const bool whole_power = !power.empty() && std::all_of(power.begin(), power.end(), is_digit);
    return whole_mantissa && whole_power ? std::optional(decimal) : std::nullopt;
}

/// Whether a number outside float's range is too small rather than too large.
bool is_tiny(const Decimal& decimal) {
    const std::size_t point = std::min(decimal.mantissa.find('.'), decimal.mantissa.size());
    const std::size_t first = decimal.mantissa.find_first_not_of("0.");
    const std::string_view power = decimal.exponent;
    std::int64_t exponent = 0;
    const auto read =
        std::from_chars(power.data() + (power[0] == '+' ? 1 : 0), power.data() + power.size(), exponent);
    if (read.ec == std::errc::result_out_of_range) {
        return power[0] == '-';
    }
    return static_cast<double>(exponent) + static_cast<double>(point) - static_cast<double>(first) < 0.0;
}

}  // namespace

void append_float(std::string& text, RawFloat value) {
    const float number = value.value();
    if (std::isnan(number)) {
        text += "NaN";
        return;
    }
    text += std::signbit(number) ? "-" : "";
    if (std::isinf(number)) {
        text += "INF";
        return;
    }
    const Digits digits = shortest_digits(std::fabs(number));
    if (digits.exponent <= fewest_exponent || digits.exponent >= most_digits_before_point) {
        append_with_exponent(text, digits);
    } else {
        append_plain(text, digits);
    }
}

std::optional<RawFloat> parse_float(std::string_view word) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    if (word == "NaN") {
        RawFloat quiet;
        quiet.bits = 0x7fc00000U;
        return quiet;
    }
    if (word == "INF" || word == "-INF") {
        return RawFloat(word[0] == '-' ? -infinity : infinity);
    }
    const bool negative = !word.empty() && word[0] == '-';
    if (negative || (!word.empty() && word[0] == '+')) {
        word.remove_prefix(1);
    }
    const auto decimal = decimal_in(word);
    if (!decimal) {
        return std::nullopt;
    }
    float size = 0.0F;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), size);
    if (read.ec == std::errc::result_out_of_range) {
        size = is_tiny(*decimal) ? 0.0F : infinity;
    }
    return std::isinf(size) ? std::nullopt : std::optional(RawFloat(negative ? -size : size));
}

std::optional<std::int64_t> parse_integer(std::string_view word, std::int64_t low, std::int64_t high) {
    std::int64_t value = 0;
    const char* const end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, value);
    const bool whole = read.ec == std::errc() && read.ptr == end;
    return whole && value >= low && value <= high ? std::optional(value) : std::nullopt;
}

}  // namespace animbridge::oban
