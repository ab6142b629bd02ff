// SPDX-License-Identifier: MIT
#include "base/option.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

namespace animbridge {

namespace {

constexpr std::size_t matrix_numbers = 16;

/// 1e30 and 0.01, but 100000 in full; a limit of whole numbers always in full.
std::string number_text(double number, bool in_full = false) {
    constexpr double largest_in_full = 1e6;
    if (in_full || (number == std::floor(number) && std::abs(number) <= largest_in_full)) {
        return std::to_string(static_cast<std::int64_t>(number));
    }
    std::array<char, 32> digits{};
    auto* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    std::string text(digits.data(), end);
    std::erase(text, '+');
    return text;
}

bool is_whole(const Option& option) {
    return option.type == OptionType::integer || option.type == OptionType::integers_by_name ||
           option.type == OptionType::bits;
}

std::string range_text(const Option& option) {
    if (option.above_low) {
        return " above " + number_text(option.low) +
               (option.high == no_limit ? "" : " and at most " + number_text(option.high));
    }
    return option.high == no_limit ? ""
                                   : " from " + number_text(option.low, is_whole(option)) + " to " +
                                         number_text(option.high, is_whole(option));
}

bool is_within(double value, double low, double high) { return value >= low && value <= high; }

bool is_number_of(const Json& value, const Option& option) {
    if (!value.is_number()) {
        return false;
    }
    const auto number = value.get<double>();
    return std::isfinite(number) && is_within(number, option.low, option.high) &&
           !(option.above_low && number == option.low);
}

bool is_integer_of(const Json& value, const Option& option) {
    return integer_from_json(value, static_cast<std::int64_t>(option.low),
                             static_cast<std::int64_t>(option.high), "")
        .has_value();
}

/// The number before the sign; none: the value is not a share.
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

bool is_seconds_or_share(const Json& value, const Option& option) {
    if (value.is_number()) {
        return is_within(value.get<double>(), 0.0, option.high);
    }
    const auto percent = percent_of(value);
    return percent && is_within(static_cast<double>(*percent), 0.0, 100.0);
}

bool is_text(const Json& value) { return text_from_json(value, "").has_value(); }

bool is_text_without_nul(const Json& value) {
    const auto text = text_from_json(value, "");
    return text && text->find('\0') == std::string::npos;
}

bool is_seconds(const Json& value) {
    const auto seconds = float_from_json(value, "");
    return seconds && seconds->is_finite();
}

bool are_choices(const Json& value, const Option& option) {
    const auto choices = choices_of(option);
    return value.is_array() && std::all_of(value.begin(), value.end(), [&](const Json& name) {
               return std::any_of(choices.begin(), choices.end(),
                                  [&](std::string_view choice) { return name == choice; });
           });
}

bool are_coordinates(const Json& value, std::size_t count) {
    return value.is_array() && value.size() == count &&
           std::all_of(value.begin(), value.end(), [](const Json& number) {
               return number.is_number() && std::abs(number.get<double>()) <= largest_scene_number;
           });
}

bool is_vector_of(const Json& value, const Option& option) {
    return are_coordinates(value, 3) && std::all_of(value.begin(), value.end(), [&](const Json& number) {
               return is_within(number.get<double>(), option.low, option.high);
           });
}

bool is_matrix(const Json& value) {
    return are_coordinates(value, matrix_numbers) && value[3] == 0.0 && value[7] == 0.0 && value[11] == 0.0 &&
           value[15] == 1.0;
}

bool is_choice_of(const Json& value, const Option& option) {
    const auto choices = choices_of(option);
    return std::any_of(choices.begin(), choices.end(),
                       [&](std::string_view choice) { return value == choice; });
}

template <typename IsOne>
bool is_array_of(const Json& value, IsOne is_one) {
    return value.is_array() && std::all_of(value.begin(), value.end(), is_one);
}

/// Of a value that has no members of its own.
bool is_of_type(const Option& option, const Json& value) {
    switch (option.type) {
        case OptionType::flag:
            return value.is_boolean();
        case OptionType::integer:
            return is_integer_of(value, option);
        case OptionType::number:
            return is_number_of(value, option) || is_choice_of(value, option);
        case OptionType::choice:
            return is_choice_of(value, option);
        case OptionType::text:
            return is_text(value);
        case OptionType::text_without_nul:
            return is_text_without_nul(value);
        case OptionType::seconds:
            return is_seconds(value);
        case OptionType::any_seconds:
            return float_from_json(value, "").has_value();
        case OptionType::seconds_or_share:
            return is_seconds_or_share(value, option);
        case OptionType::texts:
            return is_array_of(value, is_text);
        case OptionType::numbers:
            return value.is_array() && are_coordinates(value, value.size());
        case OptionType::points:
            return is_array_of(value, [](const Json& point) { return are_coordinates(point, 3); });
        case OptionType::matrix:
            return is_matrix(value);
        case OptionType::bits:
            return is_integer_of(value, option) || are_choices(value, option);
        case OptionType::vectors_by_name:
            return value.is_object() && std::all_of(value.begin(), value.end(), [&](const Json& vector) {
                       return is_vector_of(vector, option);
                   });
        case OptionType::texts_by_name:
        case OptionType::integers_by_name:
        case OptionType::object:
            return value.is_object();
        case OptionType::file_text:
            return value.is_string();
    }
    return false;
}

/// What each value of an object must be; nullopt where the option is not such an object.
std::optional<Option> value_option(const Option& option) {
    if (option.type != OptionType::texts_by_name && option.type != OptionType::integers_by_name) {
        return std::nullopt;
    }
    return Option{.name = option.name,
                  .type = option.type == OptionType::texts_by_name ? OptionType::text : OptionType::integer,
                  .low = option.low,
                  .high = option.high,
                  .help = ""};
}

tl::unexpected<Error> option_error(const std::string& place, std::string reason) {
    Error error{ErrorCode::bad_value, std::move(reason)};
    error.field = to_utf8(place);
    return tl::unexpected<Error>(in_request(std::move(error)));
}

tl::unexpected<Error> unknown_option(const std::string& place, std::span<const Option> options) {
    auto error = option_error(
        place, options.empty() ? "is not an option here; there is none" : "is not an option here");
    for (const Option& option : options) {
        error.value().allowed_options.emplace_back(option.name);
    }
    return error;
}

std::string joined_choices(const Option& option, std::string_view quote) {
    std::string text;
    const auto choices = choices_of(option);
    for (std::size_t i = 0; i < choices.size(); ++i) {
        text += i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ";
        text.append(quote).append(choices[i]).append(quote);
    }
    return text;
}

std::string type_text(const Option& option) {
    switch (option.type) {
        case OptionType::flag:
            return "true or false";
        case OptionType::integer:
            return "a whole number" + range_text(option);
        case OptionType::number:
            return (choices_of(option).empty() ? "" : joined_choices(option, "\"") + ", or ") + "a number" +
                   range_text(option);
        case OptionType::choice:
            return joined_choices(option, "\"");
        case OptionType::text:
            return "a string or {\"hex\": \"...\"}";
        case OptionType::text_without_nul:
            return "text without a NUL";
        case OptionType::seconds:
            return "seconds as a finite number or {\"bits\": \"8 hexadecimal digits\"}";
        case OptionType::any_seconds:
            return "seconds as a number within a float's range or {\"bits\": \"8 hexadecimal digits\"}";
        case OptionType::seconds_or_share:
            return "seconds from 0 to " + number_text(option.high) +
                   " as a number, or a share of the duration as text, \"0%\" to \"100%\"";
        case OptionType::texts:
            return "an array of names";
        case OptionType::texts_by_name:
            return "an object of names";
        case OptionType::integers_by_name:
            return "an object of names and whole numbers" + range_text(option);
        case OptionType::vectors_by_name:
            return "an object of names and [x, y, z] with numbers" + range_text(option);
        case OptionType::bits:
            return "a whole number" + range_text(option) + ", or an array of " + joined_choices(option, "");
        case OptionType::numbers:
            return "an array of numbers up to " + number_text(largest_scene_number);
        case OptionType::points:
            return "an array of [x, y, z] with numbers up to " + number_text(largest_scene_number);
        case OptionType::matrix:
            return "16 numbers of a matrix, column by column, whose last row is 0, 0, 0, 1";
        case OptionType::object:
            return "an object";
        case OptionType::file_text:
            return "the text of a file";
    }
    return {};
}

constexpr std::array<std::string_view, 19> type_names = {"flag",
                                                         "integer",
                                                         "number",
                                                         "choice",
                                                         "text",
                                                         "text_without_nul",
                                                         "seconds",
                                                         "any_seconds",
                                                         "seconds_or_share",
                                                         "texts",
                                                         "texts_by_name",
                                                         "integers_by_name",
                                                         "vectors_by_name",
                                                         "bits",
                                                         "numbers",
                                                         "points",
                                                         "matrix",
                                                         "object",
                                                         "file_text"};

Json number_or_none(double limit) { return std::isfinite(limit) ? Json(limit) : Json(); }

void add_range(const Option& option, Json& row) {
    const bool whole = is_whole(option);
    if (!whole && option.type != OptionType::number && option.type != OptionType::seconds_or_share) {
        return;
    }
    row["low"] = whole ? Json(static_cast<std::int64_t>(option.low)) : number_or_none(option.low);
    row["high"] = whole ? Json(static_cast<std::int64_t>(option.high)) : number_or_none(option.high);
    row["above_low"] = option.above_low;
}

}  // namespace

std::span<const std::string_view> choices_of(const Option& option) {
    const auto* const end = std::find(option.choices.begin(), option.choices.end(), std::string_view());
    return {option.choices.begin(), end};
}

Result<Json> options_from(const char* json_or_null) {
    auto json = json_or_null == nullptr ? Result<Json>(Json::object()) : parse_json(json_or_null);
    if (json && !json->is_object()) {
        return json_fail("options", *json, "an object");
    }
    return json;
}

std::string allowed_values(const Option& option) {
    const std::string text = option.allowed.empty() ? type_text(option) : std::string(option.allowed);
    return option.may_be_null ? text + ", or null" : text;
}

Result<void> check_option(const Option& option, const Json& value, const std::string& place) {
    if (option.may_be_null && value.is_null()) {
        return {};
    }
    if (!is_of_type(option, value) || (option.is_fine != nullptr && !option.is_fine(value))) {
        return tl::unexpected<Error>(in_request(json_fail(place, value, allowed_values(option)).value()));
    }
    if (option.type == OptionType::object) {
        return check_options(value, {option.members, option.member_count}, place + ".");
    }
    if (const auto each = value_option(option)) {
        for (const auto& [name, item] : value.items()) {
            TRY_VOID(check_option(*each, item, std::string(place).append(".").append(name)));
        }
    }
    return {};
}

Result<void> check_options(const Json& json, std::span<const Option> options, const std::string& place) {
    if (!json.is_object()) {
        return json_fail("options", json, "an object");
    }
    for (const auto& [name, value] : json.items()) {
        const auto found =
            std::find_if(options.begin(), options.end(),
                         [&, &key = name](const Option& option) { return option.name == key; });
        if (found == options.end()) {
            return unknown_option(place + name, options);
        }
        TRY_VOID(check_option(*found, value, place + name));
    }
    for (const Option& option : options) {
        if (option.must_be_given && !json.contains(option.name)) {
            return option_error(place + std::string(option.name),
                                "is missing; allowed is " + allowed_values(option));
        }
    }
    return {};
}

Json default_of(const Option& option) {
    const std::string_view text = option.standard;
    if (text.empty()) {
        return {};
    }
    switch (option.type) {
        case OptionType::flag:
            return text == "true";
        case OptionType::integer: {
            std::int64_t number = 0;
            std::from_chars(text.data(), text.data() + text.size(), number);
            return number;
        }
        case OptionType::number:
        case OptionType::seconds: {
            double number = 0;
            std::from_chars(text.data(), text.data() + text.size(), number);
            return number;
        }
        default:
            return text;
    }
}

Json options_json(std::span<const Option> options) {
    Json rows = Json::array();
    for (const Option& option : options) {
        Json row = {{"name", option.name},
                    {"type", type_names.at(static_cast<std::size_t>(option.type))},
                    {"default", default_of(option)},
                    {"without", option.without},
                    {"unit", option.unit},
                    {"zero", option.zero},
                    {"null", option.may_be_null},
                    {"required", option.must_be_given},
                    {"allowed", allowed_values(option)},
                    {"command", option.command_name},
                    {"help", option.help}};
        add_range(option, row);
        if (option.type == OptionType::flag && !option.command_name.empty()) {
            row["command_sets"] = option.switch_value;
            row["command_clears"] = option.clear_name;
        }
        if (option.type == OptionType::choice || option.type == OptionType::bits) {
            row["choices"] = choices_of(option);
        }
        if (option.type == OptionType::object) {
            row["members"] = options_json({option.members, option.member_count});
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

SecondsOrShare seconds_or_share(const Json& value) {
    if (const auto percent = percent_of(value)) {
        return {*percent, true};
    }
    return {value.get<float>(), false};
}

}  // namespace animbridge
