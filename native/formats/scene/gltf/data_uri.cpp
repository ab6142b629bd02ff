// SPDX-License-Identifier: MIT
#include "formats/scene/gltf/data_uri.h"

#include <cstdint>

namespace animbridge::scene {

namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    // RFC 4648 has two alphabets, which differ in these characters.
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

}  // namespace

std::optional<Bytes> bytes_of_data_uri(std::string_view uri) {
    const std::size_t comma = uri.find(',');
    if (!is_data_uri(uri) || comma == std::string_view::npos || !uri.substr(0, comma).ends_with(";base64")) {
        return std::nullopt;
    }
    uri.remove_prefix(comma + 1);
    while (uri.ends_with('=')) {
        uri.remove_suffix(1);
    }
    Bytes bytes;
    bytes.reserve(uri.size() / 4 * 3 + 3);
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char c : uri) {
        const int digit = base64_digit(c);
        if (digit < 0) {
            return std::nullopt;
        }
        bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes.push_back(static_cast<std::uint8_t>(bits >> count));
        }
    }
    return bytes;
}

std::string percent_decoded(std::string_view uri) {
    std::string result;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        const bool is_code =
            uri[i] == '%' && i + 2 < uri.size() && hex_digit(uri[i + 1]) >= 0 && hex_digit(uri[i + 2]) >= 0;
        result.push_back(is_code ? static_cast<char>(16 * hex_digit(uri[i + 1]) + hex_digit(uri[i + 2]))
                                 : uri[i]);
        i += is_code ? 2 : 0;
    }
    return result;
}

}  // namespace animbridge::scene
