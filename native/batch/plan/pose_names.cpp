// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>

#include "batch/plan/plan.h"
#include "formats/registry.h"

namespace animbridge::batch::plan {

namespace {

bool is_plain(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// "My%20pose" becomes "My pose"; a name that is not of this form stays.
std::string decoded(std::string_view name) {
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] != '%') {
            text += name[i];
            continue;
        }
        const std::string_view digits = name.substr(i + 1, 2);
        unsigned char byte = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
        if (digits.size() != 2 || read.ptr != digits.data() + 2 || byte == 0) {
            return std::string(name);
        }
        text += static_cast<char>(byte);
        i += 2;
    }
    return is_utf8(text) ? text : std::string(name);
}

/// As Black Dragon names its files: letters and digits of ASCII, and the other bytes as numbers.
std::string encoded(std::string_view name) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string text;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        text += is_plain(c) ? std::string(1, c) : std::string{'%', digits[byte >> 4U], digits[byte & 15U]};
    }
    return text;
}

/// As Firestorm lists and loads it: ASCII that can be printed, without % and |.
std::string for_firestorm(std::string name) {
    std::ranges::replace_if(
        name, [](char c) { return c == '%' || c == '|' || c < ' ' || c > '~'; }, '_');
    return name;
}

}  // namespace

std::string stem_for(std::string_view stem, ByteView bytes, const Request& request) {
    const Format& poses = *find_format("sl_pose");
    const std::string ending = "." + request.target;
    const bool is_pose = poses.file.sniff(bytes);
    const bool makes_pose =
        output_format(ending, request.conversion.to) == &poses || (is_pose && has_extension(poses, ending));
    std::string plain = is_pose ? decoded(stem) : std::string(stem);
    if (!makes_pose) {
        return plain;
    }
    const Json wanted = request.conversion.bridge.value("pose_format", Json());
    bool is_black_dragons = wanted == "blackdragon";
    if (is_pose && wanted.is_null()) {
        const auto read = read_document(bytes, poses.id, "");
        is_black_dragons = read && (*read)->info()["program"] == "Black Dragon";
    }
    return is_black_dragons ? encoded(plain) : for_firestorm(plain);
}

}  // namespace animbridge::batch::plan
