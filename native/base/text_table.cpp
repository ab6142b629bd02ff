// SPDX-License-Identifier: MIT
#include "base/text_table.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace animbridge {

std::string left_aligned(const std::string& text, std::size_t width) {
    return text + std::string(std::max(width, text.size()) - text.size(), ' ');
}

std::string right_aligned(const std::string& text, std::size_t width) {
    return std::string(std::max(width, text.size()) - text.size(), ' ') + text;
}

std::string fixed_text(double value, int decimals) {
    std::array<char, 400> text{};  // the largest double has 309 digits before the point
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return {text.data(), end.ptr};
}

std::string shown_number(double value) {
    std::string text = fixed_text(value, 3);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
    }
    if (text.ends_with('.')) {
        text.pop_back();
    }
    return text;
}

std::string measured_text(double value) {
    if (value < 0.0005) {
        return "0";
    }
    return fixed_text(value, value < 1.0 ? 3 : value < 100.0 ? 2 : 0);
}

std::string six_digits(const Json& number) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number.get<double>(),
                                   std::chars_format::general, 6);
    return {text.data(), end.ptr};
}

std::string plain_text(const Json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    return value.is_object() && value.contains("hex") ? "hex:" + value["hex"].get<std::string>()
                                                      : value.dump();
}

std::string listed_text(const Json& items) {
    std::string text;
    for (const Json& item : items) {
        text += text.empty() ? "" : ", ";
        text += item.is_string()   ? item.get<std::string>()
                : item.is_object() ? item.dump()
                                   : six_digits(item);
    }
    return text.empty() ? "none" : text;
}

}  // namespace animbridge
