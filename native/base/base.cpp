// SPDX-License-Identifier: MIT
#include "base/base.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace animbridge {

namespace {

/// Removes the middle if it is long: a name in a file, which errors quote, may have megabytes.
std::string without_middle(const std::string& text) {
    constexpr std::size_t most_bytes = 4096;
    if (text.size() <= most_bytes) {
        return text;
    }
    std::size_t end = text.size() - most_bytes / 2;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        ++end;  // so that no character is split
    }
    const std::string_view begin = shortened(text, most_bytes / 2);
    return std::string(begin) + " ... (" + std::to_string(end - begin.size()) + " bytes left out) ... " +
           text.substr(end);
}

}  // namespace

std::string Error::message() const {
    std::string text;
    if (!file.empty()) {
        text += file + ": ";
    }
    if (cut_at >= 0) {
        text += "the file is cut off at byte " + std::to_string(cut_at) + ": ";
    }
    if (line >= 0) {
        text +=
            "line " + std::to_string(line) + (column < 0 ? "" : ", column " + std::to_string(column)) + ": ";
    }
    if (byte_offset >= 0) {
        text += "byte " + std::to_string(byte_offset) + ": ";
    }
    if (!field.empty()) {
        text += without_middle(field) + ": ";
    }
    text += without_middle(reason);
    for (std::size_t i = 0; i < allowed_options.size(); ++i) {
        text += (i == 0 ? "; allowed are " : ", ") + allowed_options[i];
    }
    return without_controls(text);
}

namespace {

/// The length of the UTF-8 sequence at the front; 0 if it is not valid (overlong forms and surrogates
/// included).
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
        return i < text.size() && byte(i) >= low && byte(i) <= high;
    };
    const std::uint8_t lead = byte(0);
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xC2 && lead <= 0xDF) {
        return continues(1) ? 2 : 0;
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
        const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
        const unsigned high = lead == 0xED ? 0x9F : 0xBF;
        return continues(1, low, high) && continues(2) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
        const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
        return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

/// The code point of one complete UTF-8 sequence.
std::uint32_t code_point(std::string_view sequence) {
    const auto lead = static_cast<std::uint8_t>(sequence[0]);
    if (sequence.size() == 1) {
        return lead;
    }
    std::uint32_t code = lead & (0x7FU >> sequence.size());
    for (const char continuation : sequence.substr(1)) {
        code = code << 6U | (static_cast<std::uint8_t>(continuation) & 0x3FU);
    }
    return code;
}

/// Characters that control a terminal, end a line, or change the direction of the text after them.
bool is_control(std::uint32_t code) {
    const auto within = [&](std::uint32_t first, std::uint32_t last) {
        return code >= first && code <= last;
    };
    return code < 0x20 || within(0x7F, 0x9F) || code == 0x61C || within(0x200E, 0x200F) ||
           within(0x2028, 0x202E) || within(0x2066, 0x2069);
}

std::string hex_digits(std::uint32_t code, unsigned count) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string hex;
    while (count-- > 0) {
        hex += digits[code >> (4U * count) & 15U];
    }
    return hex;
}

/// The text as a number; nullopt if it is not one or exceeds the type's range.
template <typename Number>
std::optional<Number> number_in(std::string_view text) {
    if (text.starts_with('+') && text.size() > 1 && text[1] != '-') {
        text.remove_prefix(1);
    }
    Number number{};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
    return whole ? std::optional(number) : std::nullopt;
}

}  // namespace

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

std::string to_utf8(std::string_view text) {
    static constexpr std::string_view replacement = "\xEF\xBF\xBD";
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        clean += length == 0 ? replacement : text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return clean;
}

std::string without_controls(std::string_view text) {
    static constexpr std::string_view replacement = "\xEF\xBF\xBD";
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const std::string_view character = text.substr(0, length);
        const std::uint32_t code = length == 0 ? 0 : code_point(character);
        if (length == 0) {
            shown += replacement;
        } else if (is_control(code)) {
            shown += length == 1 ? "\\x" + hex_digits(code, 2) : "\\u" + hex_digits(code, 4);
        } else {
            shown += character;
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return shown;
}

std::string some_of(const std::vector<std::string>& names, std::size_t most) {
    constexpr std::size_t longest_name = 60;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
        text += i == 0 ? "" : ", ";
        text += shortened(names[i], longest_name);
        text += names[i].size() > longest_name ? "..." : "";
    }
    return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

std::string in_lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return in_lower_case(c); });
    return text;
}

bool same_letters(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return in_lower_case(x) == in_lower_case(y); });
}

std::string counted(std::uint64_t number, std::string_view noun) {
    return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

std::string_view shortened(std::string_view text, std::size_t most_bytes) {
    if (text.size() <= most_bytes) {
        return text;
    }
    while (most_bytes > 0 && (static_cast<unsigned char>(text[most_bytes]) & 0xC0U) == 0x80U) {
        --most_bytes;
    }
    return text.substr(0, most_bytes);
}

std::optional<double> decimal_number(std::string_view text) {
    const auto number = number_in<double>(text);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<std::int64_t> whole_number(std::string_view text) { return number_in<std::int64_t>(text); }

namespace {

Error error_at(ErrorCode code, std::string reason, std::string_view field, std::size_t offset) {
    Error error{code, std::move(reason)};
    error.field = field;
    error.byte_offset = static_cast<std::int64_t>(offset);
    return error;
}

}  // namespace

Error ByteReader::truncated(std::string_view field, std::size_t wanted) const {
    return error_at(
        ErrorCode::truncated,
        "needs " + std::to_string(wanted) + " bytes, " + std::to_string(remaining()) + " are left", field,
        offset_);
}

Error ByteReader::too_many(std::size_t count, std::size_t record_size, std::string_view field) const {
    return error_at(ErrorCode::truncated,
                    "found " + std::to_string(count) + (count == 1 ? " record of " : " records of ") +
                        std::to_string(record_size) + " bytes, but the " + std::to_string(remaining()) +
                        " bytes that are left hold " + std::to_string(remaining() / record_size),
                    field, offset_);
}

Result<std::string> ByteReader::read_c_string(std::string_view field) {
    const ByteView rest = bytes_.subspan(offset_);
    const auto end = std::ranges::find(rest, std::uint8_t{0});
    if (end == rest.end()) {
        return fail(error_at(ErrorCode::truncated,
                             "found no NUL at the end of the text in the " + std::to_string(rest.size()) +
                                 " bytes that are left",
                             field, offset_));
    }
    std::string text(rest.begin(), end);
    offset_ += text.size() + 1;
    return text;
}

Bytes ByteReader::read_rest() {
    const ByteView rest = bytes_.subspan(offset_);
    offset_ = bytes_.size();
    return {rest.begin(), rest.end()};
}

void ByteWriter::write_c_string(std::string_view text) {
    write_array(view_of(text));
    write(std::uint8_t{0});
}

}  // namespace animbridge
