// SPDX-License-Identifier: MIT
#include "base/json/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
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

Json texts_json(const std::vector<std::string>& texts) { return list_json(texts, json_text); }

std::vector<std::string> texts_from_json(const Json& list) {
    std::vector<std::string> texts;
    for (const Json& text : list) {
        texts.push_back(text_from_json(text, "").value_or(""));
    }
    return texts;
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
    return fail(ErrorCode::bad_value, "found " + text + ", allowed is " + std::string(allowed),
                std::string(field));
}

Result<const Json*> json_member(const Json& object, const char* key) {
    if (!object.is_object()) {
        return json_fail(key, object, "a member of an object");
    }
    const auto found = object.find(key);
    if (found == object.end()) {
        return fail(ErrorCode::bad_value, "is missing", key);
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

namespace {

bool is_container(const Json& value) { return value.is_structured() && !value.empty(); }

/// Counts the bytes of a text that is not kept.
class MeasuredText {
public:
    void add(std::string_view piece) { size_ += piece.size(); }
    void add_blanks(std::size_t count) { size_ += count; }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    std::size_t size_ = 0;
};

class PrintedText {
public:
    explicit PrintedText(std::size_t size) { text_.reserve(size); }
    void add(std::string_view piece) { text_ += piece; }
    void add_blanks(std::size_t count) { text_.append(count, ' '); }
    [[nodiscard]] std::string taken() { return std::move(text_); }

private:
    std::string text_{};
};

/// Text that JSON writes without escapes.
bool is_plain(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 0x7F && c != '"' && c != '\\'; });
}

/// Escapes the same characters as nlohmann::json, which would hold several copies of the whole text.
template <typename Text>
void add_escaped(Text& out, std::string_view text) {
    static constexpr std::string_view escaped = "\"\\\b\f\n\r\t";
    static constexpr std::string_view letters = "\"\\bfnrt";
    static constexpr std::string_view digits = "0123456789abcdef";
    out.add("\"");
    std::size_t done = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte >= 0x20 && byte != '"' && byte != '\\') {
            continue;
        }
        out.add(text.substr(done, i - done));
        done = i + 1;
        if (const std::size_t letter = escaped.find(text[i]); letter != std::string_view::npos) {
            out.add("\\");
            out.add(letters.substr(letter, 1));
        } else {
            out.add(byte < 0x10 ? "\\u000" : "\\u001");
            out.add(digits.substr(byte & 15U, 1));
        }
    }
    out.add(text.substr(done));
    out.add("\"");
}

template <typename Text>
void add_text(Text& out, std::string_view text) {
    if (is_plain(text)) {
        out.add("\"");
        out.add(text);
        out.add("\"");
        return;
    }
    if (is_utf8(text)) {
        add_escaped(out, text);
        return;
    }
    using nlohmann::json;
    out.add(json(text).dump(-1, ' ', false, json::error_handler_t::replace));
}

template <typename Text>
void add_number(Text& out, const Json& value) {
    std::array<char, 64> digits{};
    char* const first = digits.data();
    char* const last = first + digits.size();
    if (value.is_number_unsigned()) {
        out.add({first, std::to_chars(first, last, value.get<std::uint64_t>()).ptr});
    } else if (value.is_number_integer()) {
        out.add({first, std::to_chars(first, last, value.get<std::int64_t>()).ptr});
    } else if (const auto number = value.get<double>(); std::isfinite(number)) {
        out.add({first, nlohmann::detail::to_chars(first, last, number)});
    } else {
        out.add("null");
    }
}

template <typename Text>
void add_scalar(Text& out, const Json& value) {
    if (value.is_number()) {
        add_number(out, value);
    } else if (value.is_string()) {
        add_text(out, value.get<std::string_view>());
    } else if (value.is_boolean()) {
        out.add(value.get<bool>() ? "true" : "false");
    } else {
        out.add(value.is_array() ? "[]" : value.is_object() ? "{}" : "null");
    }
}

/// Puts an array or object without nested containers on one line.
template <typename Text>
void add_value(Text& out, const Json& value, std::size_t indent) {
    if (!is_container(value)) {
        add_scalar(out, value);
        return;
    }
    const bool flat = std::ranges::none_of(value, is_container);
    const auto new_line = [&](std::size_t blanks) {
        out.add("\n");
        out.add_blanks(blanks);
    };
    out.add(value.is_object() ? "{" : "[");
    bool first = true;
    for (auto at = value.begin(); at != value.end(); ++at) {
        out.add(first ? "" : flat ? ", " : ",");
        first = false;
        if (!flat) {
            new_line(indent + 2);
        }
        if (value.is_object()) {
            add_text(out, at.key());
            out.add(": ");
        }
        add_value(out, *at, indent + 2);
    }
    if (!flat) {
        new_line(indent);
    }
    out.add(value.is_object() ? "}" : "]");
}

template <typename Text>
void add_on_one_line(Text& out, const Json& value) {
    if (!is_container(value)) {
        add_scalar(out, value);
        return;
    }
    std::string_view before = value.is_object() ? "{" : "[";
    for (auto at = value.begin(); at != value.end(); ++at) {
        out.add(before);
        before = ",";
        if (value.is_object()) {
            add_text(out, at.key());
            out.add(":");
        }
        add_on_one_line(out, *at);
    }
    out.add(value.is_object() ? "}" : "]");
}

/// Measures first, so that the text takes no more memory than its length.
template <typename Add>
std::string printed(Add&& add) {
    MeasuredText measured;
    add(measured);
    PrintedText text(measured.size());
    add(text);
    return text.taken();
}

}  // namespace

std::string print_json(const Json& value) {
    return printed([&](auto& out) {
        add_value(out, value, 0);
        out.add("\n");
    });
}

std::string Json::dump() const {
    return printed([&](auto& out) { add_on_one_line(out, *this); });
}

}  // namespace animbridge
