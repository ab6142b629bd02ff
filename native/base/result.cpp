// SPDX-License-Identifier: MIT
#include "base/result.h"

#include "base/text.h"

namespace animbridge {

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
        text += field + ": ";
    }
    text += reason;
    for (std::size_t i = 0; i < allowed_options.size(); ++i) {
        text += (i == 0 ? "; allowed are " : ", ") + allowed_options[i];
    }
    return without_controls(text);
}

}  // namespace animbridge
