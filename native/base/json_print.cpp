// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/text.h"

namespace animbridge {

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
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return c >= ' ' && c < 0x7F && c != '"' && c != '\\'; });
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
    const bool flat = std::none_of(value.begin(), value.end(), is_container);
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
