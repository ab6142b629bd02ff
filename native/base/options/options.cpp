// SPDX-License-Identifier: MIT
#include "base/options/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
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

std::string range_text(const Option& option) {
    const bool in_full = row_of(option.type).limits == OptionLimits::whole;
    if (option.above_low) {
        return " above " + number_text(option.low) +
               (option.high == no_limit ? "" : " and at most " + number_text(option.high));
    }
    return option.high == no_limit
               ? ""
               : " from " + number_text(option.low, in_full) + " to " + number_text(option.high, in_full);
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

/// The number before the sign; nullopt: the value is not a share.
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

bool is_flag(const Json& value, const Option& /*option*/) { return value.is_boolean(); }

bool is_text(const Json& value, const Option& /*option*/) { return text_from_json(value, "").has_value(); }

bool is_text_without_nul(const Json& value, const Option& /*option*/) {
    const auto text = text_from_json(value, "");
    return text && text->find('\0') == std::string::npos;
}

bool is_file_text(const Json& value, const Option& /*option*/) { return value.is_string(); }

bool is_seconds(const Json& value, const Option& /*option*/) {
    const auto seconds = float_from_json(value, "");
    return seconds && seconds->is_finite();
}

bool is_float(const Json& value, const Option& /*option*/) { return float_from_json(value, "").has_value(); }

bool is_choice_of(const Json& value, const Option& option) {
    const auto choices = choices_of(option);
    return std::ranges::any_of(choices, [&](std::string_view choice) { return value == choice; });
}

bool is_number_or_choice(const Json& value, const Option& option) {
    return is_number_of(value, option) || is_choice_of(value, option);
}

template <bool (*is_one)(const Json&, const Option&)>
bool is_array_of(const Json& value, const Option& option) {
    return value.is_array() &&
           std::ranges::all_of(value, [&](const Json& one) { return is_one(one, option); });
}

bool is_bits(const Json& value, const Option& option) {
    return is_integer_of(value, option) || is_array_of<is_choice_of>(value, option);
}

bool is_coordinate(const Json& value, const Option& /*option*/) {
    return value.is_number() && std::abs(value.get<double>()) <= largest_scene_number;
}

bool is_point(const Json& value, const Option& option) {
    return is_array_of<is_coordinate>(value, option) && value.size() == 3;
}

bool is_object(const Json& value, const Option& /*option*/) { return value.is_object(); }

bool are_named_vectors(const Json& value, const Option& option) {
    return value.is_object() && std::ranges::all_of(value, [&](const Json& vector) {
               return is_point(vector, option) && is_array_of<is_number_of>(vector, option);
           });
}

bool is_matrix(const Json& value, const Option& option) {
    return is_array_of<is_coordinate>(value, option) && value.size() == matrix_numbers && value[3] == 0.0 &&
           value[7] == 0.0 && value[11] == 0.0 && value[15] == 1.0;
}

tl::unexpected<Error> option_error(const std::string& place, std::string reason) {
    return fail(in_request({ErrorCode::bad_value, std::move(reason), {}, to_utf8(place)}));
}

tl::unexpected<Error> unknown_option(const std::string& place, std::span<const Option> options) {
    auto error = option_error(
        place, options.empty() ? "is not an option here; there is none" : "is not an option here");
    for (const Option& option : options) {
        error.value().allowed_options.emplace_back(option.name);
    }
    return error;
}

/// "a", "b" or "c".
std::string choices_text(const Option& option, std::string_view quote) {
    std::string text;
    const auto choices = choices_of(option);
    for (std::size_t i = 0; i < choices.size(); ++i) {
        text += i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ";
        text.append(quote).append(choices[i]).append(quote);
    }
    return text;
}

std::string choice_text(const Option& option) { return choices_text(option, "\""); }

std::string whole_text(const Option& option) { return "a whole number" + range_text(option); }

std::string number_text_of(const Option& option) {
    return (choices_of(option).empty() ? "" : choice_text(option) + ", or ") + "a number" +
           range_text(option);
}

std::string bits_text(const Option& option) {
    return whole_text(option) + ", or an array of " + choices_text(option, "");
}

std::string typed_bits_text(const Option& option) {
    std::string text = "a whole number from 0, or names with commas between them, of ";
    for (const std::string_view choice : choices_of(option)) {
        text.append(choice).append(choice == choices_of(option).back() ? "" : ",");
    }
    return text;
}

std::string typed_integers_text(const Option& option) {
    const std::string name(option.value_name);
    return "NAME=" + name + ", a " + in_lower_case(name) + " being " + whole_text(option);
}

/// A number if the text is one, else text.
Json number_or_text(std::string_view text) {
    const auto number = decimal_number(text);
    if (!number) {
        return text;
    }
    // Integer options do not accept 1.0. Up to here, doubles hold every whole number and the cast is defined.
    constexpr double largest_whole = 9007199254740992.0;
    if (std::abs(*number) <= largest_whole && *number == std::trunc(*number)) {
        return static_cast<std::int64_t>(*number);
    }
    return *number;
}

Json whole_or_text(std::string_view text) {
    const auto number = whole_number(text);
    return number ? Json(*number) : Json(text);
}

Json number_or_zero(std::string_view text) { return decimal_number(text).value_or(0.0); }

template <Json (*value_of)(std::string_view)>
Json between_commas(std::string_view text) {
    Json values = Json::array();
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        values.push_back(value_of(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return values;
}

Json number_or_names(std::string_view text) {
    Json number = number_or_text(text);
    return number.is_string() ? between_commas<json_text>(text) : number;
}

/// In the order of OptionType.
constexpr std::array<OptionTypeRow, 19> types = {{
    {.name = "flag",
     .takes = is_flag,
     .words = "true or false",
     .standard = [](std::string_view text) -> Json { return text == "true"; }},
    {.name = "integer",
     .takes = is_integer_of,
     .more_words = whole_text,
     .limits = OptionLimits::whole,
     .standard = whole_or_text,
     .typed = whole_or_text,
     .typed_words = whole_text},
    {.name = "number",
     .takes = is_number_or_choice,
     .more_words = number_text_of,
     .limits = OptionLimits::real,
     .standard = number_or_zero,
     .typed = number_or_text},
    {.name = "choice",
     .takes = is_choice_of,
     .more_words = choice_text,
     .has_choices = true,
     .typed = json_text},
    {.name = "text", .takes = is_text, .words = R"(a string or {"hex": "..."})", .typed = json_text},
    {.name = "text_without_nul",
     .takes = is_text_without_nul,
     .words = "text without a NUL",
     .typed = json_text},
    {.name = "seconds",
     .takes = is_seconds,
     .words = R"(seconds as a finite number or {"bits": "8 hexadecimal digits"})",
     .standard = number_or_zero},
    {.name = "any_seconds",
     .takes = is_float,
     .words = R"(seconds as a number within a float's range or {"bits": "8 hexadecimal digits"})",
     .typed = number_or_text,
     .typed_words = [](const Option& /*option*/) -> std::string { return "a number of seconds"; }},
    {.name = "seconds_or_share",
     .takes = is_seconds_or_share,
     .more_words =
         [](const Option& option) {
             return "seconds from 0 to " + number_text(option.high) +
                    R"( as a number, or a share of the duration as text, "0%" to "100%")";
         },
     .limits = OptionLimits::real,
     .typed = number_or_text,
     .typed_words =
         [](const Option& option) {
             return "seconds from 0 to " + number_text(option.high) + ", or a share from 0% to 100%";
         }},
    {.name = "texts", .takes = is_array_of<is_text>, .words = "an array of names"},
    {.name = "texts_by_name", .takes = is_object, .words = "an object of names", .each = OptionType::text},
    {.name = "integers_by_name",
     .takes = is_object,
     .words = "an object of names and whole numbers",
     .more_words = range_text,
     .limits = OptionLimits::whole,
     .each = OptionType::integer,
     .is_typed_by_name = true,
     .typed = whole_or_text,
     .typed_words = typed_integers_text},
    {.name = "vectors_by_name",
     .takes = are_named_vectors,
     .words = "an object of names and [x, y, z] with numbers",
     .more_words = range_text,
     .is_typed_by_name = true,
     .typed = between_commas<number_or_text>,
     .typed_words =
         [](const Option& option) {
             return std::string(option.value_name) + ", each number" + range_text(option);
         }},
    {.name = "bits",
     .takes = is_bits,
     .more_words = bits_text,
     .limits = OptionLimits::whole,
     .has_choices = true,
     .typed = number_or_names,
     .typed_words = typed_bits_text},
    {.name = "numbers", .takes = is_array_of<is_coordinate>, .words = "an array of numbers up to 1e30"},
    {.name = "points",
     .takes = is_array_of<is_point>,
     .words = "an array of [x, y, z] with numbers up to 1e30"},
    {.name = "matrix",
     .takes = is_matrix,
     .words = "16 numbers of a matrix, column by column, whose last row is 0, 0, 0, 1"},
    {.name = "object", .takes = is_object, .words = "an object"},
    {.name = "file_text", .takes = is_file_text, .words = "the text of a file"},
}};

Json number_or_none(double limit) { return std::isfinite(limit) ? Json(limit) : Json(); }

}  // namespace

const OptionTypeRow& row_of(OptionType type) { return types.at(static_cast<std::size_t>(type)); }

std::span<const std::string_view> choices_of(const Option& option) {
    const auto* const end = std::ranges::find(option.choices, std::string_view());
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
    std::string text(option.allowed);
    if (text.empty()) {
        const OptionTypeRow& type = row_of(option.type);
        text = std::string(type.words) + (type.more_words == nullptr ? "" : type.more_words(option));
    }
    return option.may_be_null ? text + ", or null" : text;
}

Result<void> check_option(const Option& option, const Json& value, const std::string& place) {
    if (option.may_be_null && value.is_null()) {
        return {};
    }
    const OptionTypeRow& type = row_of(option.type);
    if (!type.takes(value, option) || (option.is_fine != nullptr && !option.is_fine(value))) {
        return tl::unexpected<Error>(in_request(json_fail(place, value, allowed_values(option)).value()));
    }
    if (option.type == OptionType::object) {
        return check_options(value, {option.members, option.member_count}, place + ".");
    }
    if (type.each) {
        const Option each{
            .name = option.name, .type = *type.each, .low = option.low, .high = option.high, .help = ""};
        for (const auto& [name, item] : value.items()) {
            TRY_VOID(check_option(each, item, std::string(place).append(".").append(name)));
        }
    }
    return {};
}

Result<void> check_options(const Json& json, std::span<const Option> options, const std::string& place) {
    if (!json.is_object()) {
        return json_fail("options", json, "an object");
    }
    for (const auto& [name, value] : json.items()) {
        const auto found = std::ranges::find_if(
            options, [&, &key = name](const Option& option) { return option.name == key; });
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

bool has_option(std::span<const Option> options, std::string_view name) {
    return std::ranges::any_of(options, [&](const Option& option) { return option.name == name; });
}

Json default_of(const Option& option) {
    const auto value_of = row_of(option.type).standard;
    return option.standard.empty() ? Json()
           : value_of == nullptr   ? Json(option.standard)
                                   : value_of(option.standard);
}

Json options_json(std::span<const Option> options) {
    Json rows = Json::array();
    for (const Option& option : options) {
        const OptionTypeRow& type = row_of(option.type);
        Json row = {{"name", option.name},
                    {"type", type.name},
                    {"default", default_of(option)},
                    {"without", option.without},
                    {"unit", option.unit},
                    {"zero", option.zero},
                    {"null", option.may_be_null},
                    {"required", option.must_be_given},
                    {"allowed", allowed_values(option)},
                    {"command", option.command_name},
                    {"help", option.help}};
        if (type.limits != OptionLimits::none) {
            const bool whole = type.limits == OptionLimits::whole;
            row["low"] = whole ? Json(static_cast<std::int64_t>(option.low)) : number_or_none(option.low);
            row["high"] = whole ? Json(static_cast<std::int64_t>(option.high)) : number_or_none(option.high);
            row["above_low"] = option.above_low;
        }
        if (option.type == OptionType::flag && !option.command_name.empty()) {
            row["command_sets"] = option.switch_value;
            row["command_clears"] = option.clear_name;
        }
        if (type.has_choices) {
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
