// SPDX-License-Identifier: MIT
#include "base/result.h"

#include <string_view>

#include "base/text.h"

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

}  // namespace animbridge
