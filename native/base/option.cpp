// SPDX-License-Identifier: MIT
#include "base/option.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

namespace animbridge {

namespace {

std::string whole(double number) { return std::to_string(static_cast<std::int64_t>(number)); }

bool is_within(double value, double low, double high) { return value >= low && value <= high; }

bool is_integer_within(const Json& value, const Option& option) {
    return integer_from_json(value, static_cast<std::int64_t>(option.low),
                             static_cast<std::int64_t>(option.high), "")
        .has_value();
}

/// The number before the sign; none: it is no share.
std::optional<float> percent_of(const Json& value) {
    const auto text = value.is_string() ? value.get<std::string_view>() : std::string_view();
    if (!text.ends_with('%')) {
        return std::nullopt;
    }
    float percent = 0;
    const char* const end = text.data() + text.size() - 1;
    const auto done = std::from_chars(text.data(), end, percent);
    return done.ec == std::errc() && done.ptr == end ? std::optional(percent) : std::nullopt;
}

bool is_text(const Json& value) {
    const auto text = text_from_json(value, "");
    return text && text->find('\0') == std::string::npos;
}

bool is_allowed(const Option& option, const Json& value) {
    switch (option.type) {
        case OptionType::flag:
            return value.is_boolean();
        case OptionType::integer:
            return is_integer_within(value, option);
        case OptionType::number:
            return value.is_number() && is_within(value.get<double>(), option.low, option.high);
        case OptionType::choice:
            return value == option.choices[0] || value == option.choices[1];
        case OptionType::text:
            return is_text(value);
        case OptionType::seconds_or_share: {
            if (value.is_number()) {
                return is_within(value.get<double>(), 0.0, option.high);
            }
            const auto percent = percent_of(value);
            return percent && is_within(static_cast<double>(*percent), 0.0, 100.0);
        }
        case OptionType::integers_by_name:
            return value.is_object() && std::all_of(value.begin(), value.end(), [&](const Json& item) {
                       return is_integer_within(item, option);
                   });
        case OptionType::file_text:
            return value.is_string();
    }
    return false;
}

}  // namespace

std::string allowed_values(const Option& option) {
    if (!option.allowed.empty()) {
        return std::string(option.allowed);
    }
    switch (option.type) {
        case OptionType::flag:
            return "true or false";
        case OptionType::integer:
            return "a whole number from " + whole(option.low) + " to " + whole(option.high);
        case OptionType::number:
            return "a number from " + whole(option.low) + " to " + whole(option.high);
        case OptionType::choice:
            return "\"" + std::string(option.choices[0]) + "\" or \"" + std::string(option.choices[1]) + "\"";
        case OptionType::text:
            return "text without a NUL";
        case OptionType::seconds_or_share:
            return "seconds from 0 to " + whole(option.high) +
                   " as a number, or a share of the duration as text, \"0%\" to \"100%\"";
        case OptionType::integers_by_name:
            return "an object of names and whole numbers from " + whole(option.low) + " to " +
                   whole(option.high);
        case OptionType::file_text:
            return "the text of a file";
    }
    return {};
}

std::string refused_value(const Option& option, const Json& value) {
    return is_allowed(option, value) ? std::string() : allowed_values(option);
}

tl::unexpected<Error> unknown_option(const std::string& name, std::span<const Option> options) {
    std::string known;
    for (const Option& option : options) {
        known += known.empty() ? "" : ", ";
        known += option.name;
    }
    Error error{ErrorCode::bad_value, "is no option of this conversion; allowed are " + known};
    error.field = to_utf8(name);
    return fail(in_request(std::move(error)));
}

SecondsOrShare seconds_or_share(const Json& value) {
    if (const auto percent = percent_of(value)) {
        return {*percent, true};
    }
    return {value.get<float>(), false};
}

}  // namespace animbridge
