// SPDX-License-Identifier: MIT
#include "base/files/files.h"

#include <algorithm>

namespace animbridge {

namespace {

constexpr std::string_view blanks_and_dots = " .";

/// Control characters: they are invisible, or make a name look like another.
bool is_control_code(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

/// The first character; "" if the bytes are not UTF-8.
std::string_view character_of_name(std::string_view words) {
    constexpr std::size_t longest = 4;
    for (std::size_t length = 1; length <= std::min(longest, words.size()); ++length) {
        if (is_utf8(words.substr(0, length))) {
            return words.substr(0, length);
        }
    }
    return {};
}

/// The code point of one complete UTF-8 sequence.
char32_t code_of_character(std::string_view sequence) {
    const auto lead = static_cast<std::uint8_t>(sequence.front());
    if (sequence.size() == 1) {
        return lead;
    }
    char32_t code = lead & (0x7FU >> sequence.size());
    for (const char c : sequence.substr(1)) {
        code = code << 6U | (static_cast<std::uint8_t>(c) & 0x3FU);
    }
    return code;
}

std::string without_forbidden(std::string_view words) {
    constexpr std::string_view forbidden = "<>:\"/\\|?*";
    std::string clean;
    clean.reserve(words.size());
    while (!words.empty()) {
        const std::string_view character = character_of_name(words);
        words.remove_prefix(std::max<std::size_t>(character.size(), 1));
        const bool stays = !character.empty() && !is_control_code(code_of_character(character)) &&
                           forbidden.find(character.front()) == std::string_view::npos;
        clean += stays ? character : "_";
    }
    return clean;
}

/// Windows treats these names as devices, whatever the extension.
bool is_device_name(std::string_view stem) {
    static constexpr std::array<std::string_view, 6> names = {"con", "prn",    "aux",
                                                              "nul", "conin$", "conout$"};
    static constexpr std::array<std::string_view, 13> numbers = {
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "\u00B9", "\u00B2", "\u00B3"};
    std::string base(stem.substr(0, stem.find('.')));
    base.erase(base.find_last_not_of(' ') + 1);
    base = in_lower_case(std::move(base));
    if (std::ranges::find(names, base) != names.end()) {
        return true;
    }
    const bool has_port = base.rfind("com", 0) == 0 || base.rfind("lpt", 0) == 0;
    return has_port && std::ranges::find(numbers, base.substr(3)) != numbers.end();
}

/// Cuts to at most `most_bytes` and removes dots and spaces at the end.
std::string_view cut_stem(std::string_view stem, std::size_t most_bytes) {
    const std::string_view kept = shortened(stem, most_bytes);
    return kept.substr(0, kept.find_last_not_of(blanks_and_dots) + 1);
}

}  // namespace

std::string file_stem(std::string_view words, std::string_view ending) {
    const std::size_t most = longest_file_name - neighbour_bytes - std::min(ending.size(), longest_ending);
    const std::string clean = without_forbidden(words);
    const std::size_t first = std::min(clean.find_first_not_of(blanks_and_dots), clean.size());
    std::string stem(cut_stem(std::string_view(clean).substr(first), most));
    if (stem.empty()) {
        return "animation";
    }
    // Tested after the cut, which can turn a longer name into that of a device.
    return is_device_name(stem) ? std::string(cut_stem("_" + stem, most)) : stem;
}

std::string extension_of(std::string_view path) {
    const std::size_t name = name_begin(path);
    const std::size_t dot = path.find_last_of('.');
    return in_lower_case(std::string(dot == std::string_view::npos || dot < name ? "" : path.substr(dot)));
}

}  // namespace animbridge
