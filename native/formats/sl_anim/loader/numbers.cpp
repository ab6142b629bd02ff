// SPDX-License-Identifier: MIT
#include "formats/sl_anim/loader/parts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "base/base.h"

namespace animbridge::sl_anim::loader {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_hex_digit(char c) { return is_digit(c) || (in_lower_case(c) >= 'a' && in_lower_case(c) <= 'f'); }

/// Whether the text begins with `word`, which is in lower case, ignoring the case of the text.
bool begins_with(std::string_view text, std::string_view word) {
    return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(),
                                                    [](char a, char b) { return a == in_lower_case(b); });
}

std::size_t sign_length(std::string_view text) {
    return !text.empty() && (text.front() == '+' || text.front() == '-') ? 1 : 0;
}

/// The length of digits with at most one point among them; 0 without a digit.
std::size_t mantissa_length(std::string_view text, bool (*digit)(char)) {
    std::size_t end = 0;
    std::size_t digits = 0;
    bool point = false;
    for (; end < text.size() && (digit(text[end]) || (text[end] == '.' && !point)); ++end) {
        point = point || text[end] == '.';
        digits += digit(text[end]) ? 1U : 0U;
    }
    return digits > 0 ? end : 0;
}

/// The length of an exponent such as "e-12"; 0 if no digit follows the letter.
std::size_t exponent_length(std::string_view text, char letter) {
    if (text.empty() || in_lower_case(text.front()) != letter) {
        return 0;
    }
    const std::size_t first = 1 + sign_length(text.substr(1));
    std::size_t end = first;
    while (end < text.size() && is_digit(text[end])) {
        ++end;
    }
    return end > first ? end : 0;
}

/// Whether a number outside float's range is too large rather than too small. `per_digit`: the exponent of
/// one digit.
bool is_huge(std::string_view digits, std::string_view exponent, std::int64_t per_digit) {
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const std::size_t first = digits.find_first_not_of("0.");
    if (first == std::string_view::npos) {
        return false;
    }
    std::int64_t power = (static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first)) * per_digit;
    if (!exponent.empty()) {
        exponent.remove_prefix(1);
        const bool negative = exponent.front() == '-';
        exponent.remove_prefix(sign_length(exponent));
        constexpr std::int64_t enough = 1'000'000'000'000;
        std::int64_t value = 0;
        for (const char c : exponent) {
            value = std::min(enough, value * 10 + (c - '0'));
        }
        power += negative ? -value : value;
    }
    return power > 0;
}

struct Unsigned {
    std::size_t length = 0;  ///< 0: not a number
    float value = 0;
};

/// A decimal number without a sign, rounded once to the nearest float.
Unsigned decimal(std::string_view text) {
    const std::size_t mantissa = mantissa_length(text, is_digit);
    if (mantissa == 0) {
        return {};
    }
    const std::size_t length = mantissa + exponent_length(text.substr(mantissa), 'e');
    Unsigned number{length, 0.0F};
    const auto done = std::from_chars(text.data(), text.data() + length, number.value);
    if (done.ec == std::errc::result_out_of_range) {
        number.value = is_huge(text.substr(0, mantissa), text.substr(mantissa, length - mantissa), 1)
                           ? std::numeric_limits<float>::infinity()
                           : 0.0F;
    }
    return number;
}

/// A hexadecimal number such as "0x1.8p3".
Unsigned hexadecimal(std::string_view text) {
    if (!begins_with(text, "0x")) {
        return {};
    }
    const std::string_view digits = text.substr(2);
    const std::size_t mantissa = mantissa_length(digits, is_hex_digit);
    if (mantissa == 0) {
        return {};
    }
    const std::size_t length = mantissa + exponent_length(digits.substr(mantissa), 'p');
    Unsigned number{length + 2, 0.0F};
    const auto done =
        std::from_chars(digits.data(), digits.data() + length, number.value, std::chars_format::hex);
    if (done.ec == std::errc::result_out_of_range) {
        number.value = is_huge(digits.substr(0, mantissa), digits.substr(mantissa, length - mantissa), 4)
                           ? std::numeric_limits<float>::infinity()
                           : 0.0F;
    }
    return number;
}

float with_sign(float value, bool negative) { return negative ? -value : value; }

}  // namespace

std::string_view without_leading_blanks(std::string_view text) {
    const auto* const first = std::ranges::find_if_not(text, is_blank);
    return text.substr(static_cast<std::size_t>(first - text.begin()));
}

std::optional<std::int32_t> scan_integer(std::string_view text) {
    text = without_leading_blanks(text);
    const bool negative = !text.empty() && text.front() == '-';
    text.remove_prefix(sign_length(text));
    if (text.empty() || !is_digit(text.front())) {
        return std::nullopt;
    }
    std::uint64_t magnitude = 0;
    const auto done = std::from_chars(text.data(), text.data() + text.size(), magnitude);
    const std::uint64_t most =
        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + (negative ? 1U : 0U);
    if (done.ec == std::errc::result_out_of_range || magnitude > most) {
        magnitude = most;
    }
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(negative ? 0 - magnitude : magnitude));
}

std::optional<float> scan_float(std::string_view text) {
    text = without_leading_blanks(text);
    const bool negative = !text.empty() && text.front() == '-';
    text.remove_prefix(sign_length(text));
    if (begins_with(text, "inf")) {
        return with_sign(std::numeric_limits<float>::infinity(), negative);
    }
    if (begins_with(text, "nan")) {
        return with_sign(std::numeric_limits<float>::quiet_NaN(), negative);
    }
    // "0x" without digits is not a number, not even a 0.
    const Unsigned number = begins_with(text, "0x") ? hexadecimal(text) : decimal(text);
    return number.length == 0 ? std::nullopt : std::optional(with_sign(number.value, negative));
}

std::optional<float> cast_float(std::string_view word) {
    const bool negative = !word.empty() && word.front() == '-';
    word.remove_prefix(sign_length(word));
    const Unsigned number = decimal(word);
    if (number.length > 0) {
        return number.length == word.size() && std::isfinite(number.value)
                   ? std::optional(with_sign(number.value, negative))
                   : std::nullopt;
    }
    if ((word.size() == 3 && begins_with(word, "inf")) ||
        (word.size() == 8 && begins_with(word, "infinity"))) {
        return with_sign(std::numeric_limits<float>::infinity(), negative);
    }
    const bool named = word.size() >= 5 && word[3] == '(' && word.back() == ')';
    if (begins_with(word, "nan") && (word.size() == 3 || named)) {
        return with_sign(std::numeric_limits<float>::quiet_NaN(), negative);
    }
    return std::nullopt;
}

}  // namespace animbridge::sl_anim::loader
