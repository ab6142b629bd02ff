// SPDX-License-Identifier: MIT
#include "base/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace animbridge {

namespace {

int hex_digit(char digit) {
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    if (digit >= 'a' && digit <= 'f') {
        return digit - 'a' + 10;
    }
    return -1;
}

}  // namespace

std::string hex_of(std::string_view bytes) {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string hex;
    hex.reserve(bytes.size() * 2);
    for (const char character : bytes) {
        const auto byte = static_cast<std::uint8_t>(character);
        hex += digits[byte >> 4U];
        hex += digits[byte & 15U];
    }
    return hex;
}

Result<std::string> bytes_from_hex(std::string_view hex, std::string_view field) {
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        const int high = hex_digit(hex[i]);
        const int low = i + 1 < hex.size() ? hex_digit(hex[i + 1]) : -1;
        if (high < 0 || low < 0) {
            return json_fail(field, Json(hex), "pairs of the digits 0-9 a-f");
        }
        bytes += static_cast<char>(high * 16 + low);
    }
    return bytes;
}

Json json_text(std::string_view text) { return is_utf8(text) ? Json(text) : Json{{"hex", hex_of(text)}}; }

Result<std::string> text_from_json(const Json& value, std::string_view field) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_object() && value.size() == 1 && value.contains("hex") && value["hex"].is_string()) {
        return bytes_from_hex(value["hex"].get<std::string_view>(), field);
    }
    return json_fail(field, value, "a string or {\"hex\": \"...\"}");
}

Json texts_json(const std::vector<std::string>& texts) {
    Json list = Json::array();
    for (const std::string& text : texts) {
        list.push_back(json_text(text));
    }
    return list;
}

Json json_float(RawFloat value) {
    if (!value.is_finite()) {
        std::array<char, 8> digits{};
        digits.fill('0');
        std::array<char, 8> raw{};
        auto* const end = std::to_chars(raw.data(), raw.data() + raw.size(), value.bits, 16).ptr;
        std::copy_backward(raw.data(), end, digits.data() + digits.size());
        return Json{{"bits", std::string(digits.data(), digits.size())}};
    }
    std::array<char, 32> shortest{};
    const auto written = std::to_chars(shortest.data(), shortest.data() + shortest.size(), value.value());
    double number = 0;
    std::from_chars(shortest.data(), written.ptr, number);
    // A reader converts decimal -> double -> float. Where that rounds twice, write the float's exact value
    // instead.
    return RawFloat(static_cast<float>(number)) == value ? Json(number)
                                                         : Json(static_cast<double>(value.value()));
}

Result<RawFloat> float_from_json(const Json& value, std::string_view field) {
    static constexpr std::string_view allowed =
        "a number within a float's range or {\"bits\": \"8 hexadecimal digits\"}";
    if (value.is_number()) {
        const RawFloat result(static_cast<float>(value.get<double>()));
        return result.is_finite() ? Result<RawFloat>(result) : json_fail(field, value, allowed);
    }
    if (value.is_object() && value.size() == 1 && value.contains("bits") && value["bits"].is_string()) {
        const auto digits = value["bits"].get<std::string_view>();
        RawFloat result;
        const auto [end, problem] =
            std::from_chars(digits.data(), digits.data() + digits.size(), result.bits, 16);
        if (digits.size() == 8 && problem == std::errc{} && end == digits.data() + digits.size()) {
            return result;
        }
    }
    return json_fail(field, value, allowed);
}

tl::unexpected<Error> json_fail(std::string_view field, const Json& found, std::string_view allowed) {
    std::string text = found.is_structured() ? std::string(found.type_name()) : found.dump();
    if (text.size() > 60) {
        text = text.substr(0, 57) + "...";
    }
    Error error{ErrorCode::bad_value, "found " + text + ", allowed is " + std::string(allowed)};
    error.field = field;
    return fail(std::move(error));
}

Result<const Json*> json_member(const Json& object, const char* key) {
    if (!object.is_object()) {
        return json_fail(key, object, "a member of an object");
    }
    const auto found = object.find(key);
    if (found == object.end()) {
        Error error{ErrorCode::bad_value, "is missing"};
        error.field = key;
        return fail(std::move(error));
    }
    return &*found;
}

Result<double> number_from_json(const Json& value, std::string_view field) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
        return json_fail(field, value, "a finite number");
    }
    return value.get<double>();
}

Result<std::int64_t> integer_from_json(const Json& value, std::int64_t low, std::int64_t high,
                                       std::string_view field) {
    if (value.is_number_integer()) {
        const bool representable = !value.is_number_unsigned() ||
                                   value.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX);
        const std::int64_t number = representable ? value.get<std::int64_t>() : INT64_MAX;
        if (representable && number >= low && number <= high) {
            return number;
        }
    }
    return json_fail(field, value, "an integer from " + std::to_string(low) + " to " + std::to_string(high));
}

}  // namespace animbridge
