// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>

#include "formats/sl_pose/file/file.h"

namespace animbridge::sl_pose::file {

namespace {

constexpr std::string_view blanks = " \t\n\v\f\r";

std::string_view without_blanks(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(blanks), text.size()));
}

/// A number beyond the range of doubles: the largest one, or 0 if it is too small.
double beyond_range(std::string_view digits) {
    const std::size_t e = digits.find_first_of("eE");
    const bool is_tiny = e != std::string_view::npos && digits.substr(e + 1).starts_with('-');
    const bool begins_with_0 = digits.starts_with("0.");
    return is_tiny || (e == std::string_view::npos && begins_with_0) ? 0.0
                                                                     : std::numeric_limits<double>::max();
}

/// Null if the viewer does not take the whole text as one number.
std::optional<double> number_in(std::string_view text) {
    text = without_blanks(text);
    const bool is_negative = text.starts_with('-');
    if (is_negative || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    // Neither a second sign nor "inf" and "nan".
    if (text.empty() || (text[0] != '.' && (text[0] < '0' || text[0] > '9'))) {
        return std::nullopt;
    }
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ptr != text.data() + text.size() || read.ec == std::errc::invalid_argument) {
        return std::nullopt;
    }
    if (read.ec == std::errc::result_out_of_range) {
        number = beyond_range(text);
    }
    return is_negative ? -number : number;
}

/// The whole number that the text begins with, in 32 bits, which wrap.
std::optional<std::int32_t> digits_in(std::string_view text) {
    text = without_blanks(text);
    const bool is_negative = text.starts_with('-');
    if (is_negative || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    if (count == 0) {
        return std::nullopt;
    }
    std::uint32_t number = 0;
    for (const char digit : text.substr(0, count)) {
        number = number * 10U + static_cast<std::uint32_t>(digit - '0');
    }
    return static_cast<std::int32_t>(is_negative ? 0U - number : number);
}

std::int32_t truncated(double number) {
    constexpr double low = std::numeric_limits<std::int32_t>::min();
    constexpr double high = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(std::clamp(number, low, high));
}

}  // namespace

const Value* Value::find(std::string_view key) const {
    const auto found = std::find(keys.rbegin(), keys.rend(), key);
    return found == keys.rend() ? nullptr : &items[static_cast<std::size_t>(keys.rend() - found) - 1];
}

double real_of(const Value* value) {
    if (value == nullptr) {
        return 0;
    }
    switch (value->kind) {
        case Kind::real:
        case Kind::string:
            return number_in(value->text).value_or(0.0);
        case Kind::integer:
            return integer_of(value);
        case Kind::boolean:
            return boolean_of(value) ? 1.0 : 0.0;
        default:
            return 0;
    }
}

bool boolean_of(const Value* value) {
    if (value == nullptr) {
        return false;
    }
    switch (value->kind) {
        case Kind::boolean:
            return value->text == "1" || value->text == "true";
        case Kind::integer:
        case Kind::real:
            return real_of(value) != 0.0;
        case Kind::array:
        case Kind::map:
            return !value->items.empty();
        case Kind::string:
            return !value->text.empty();
        default:
            return false;
    }
}

std::int32_t integer_of(const Value* value) {
    if (value == nullptr) {
        return 0;
    }
    if (value->kind == Kind::integer) {
        const auto digits = digits_in(value->text);
        return digits ? *digits : truncated(number_in(value->text).value_or(0.0));
    }
    return truncated(real_of(value));
}

std::string string_of(const Value* value) {
    if (value == nullptr || value->kind == Kind::array || value->kind == Kind::map ||
        value->kind == Kind::undefined) {
        return {};
    }
    return value->text;
}

bool is_read_as_number(const Value& value) {
    switch (value.kind) {
        case Kind::real:
        case Kind::string:
            return number_in(value.text).has_value();
        case Kind::integer:
            return digits_in(value.text).has_value();
        default:
            return false;
    }
}

Value real(float number) {
    constexpr int digits = 25;
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), static_cast<double>(number),
                                   std::chars_format::general, digits);
    return {Kind::real, std::string(text.data(), end.ptr)};
}

Value boolean(bool is_true) { return {Kind::boolean, is_true ? "1" : "0"}; }
Value integer(std::int32_t number) { return {Kind::integer, std::to_string(number)}; }
Value string(std::string text) { return {Kind::string, std::move(text)}; }

void put(Value& map, std::string key, Value value) {
    map.kind = Kind::map;
    map.keys.push_back(std::move(key));
    map.items.push_back(std::move(value));
}

}  // namespace animbridge::sl_pose::file
