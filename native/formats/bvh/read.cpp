// SPDX-License-Identifier: MIT
#include "formats/bvh/read.h"

#include <algorithm>

#include "base/text.h"
#include "formats/bvh/numbers.h"
#include "formats/bvh/read_hierarchy.h"
#include "formats/bvh/read_motion.h"
#include "formats/bvh/rules.h"

namespace animbridge::bvh {

namespace {

constexpr std::string_view first_word = "HIERARCHY";

std::string_view without_mark(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    return text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
}

/// Whether the text begins with a UTF-16 byte order mark.
bool is_utf16(std::string_view text) { return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"); }

/// The first letters of UTF-16 text, narrowed to bytes.
std::string narrowed(std::string_view text) {
    std::string narrow;
    for (const char c : text.substr(2, 128)) {
        if (c != '\0') {
            narrow += c;
        }
    }
    return narrow;
}

bool begins_with_first_word(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    const std::string_view next = text.substr(std::min(text.size(), first_word.size()));
    return same_letters(text.substr(0, first_word.size()), first_word) &&
           (next.empty() || is_blank(next.front()) || next.front() == '\0');
}

}  // namespace

bool sniff(ByteView bytes) {
    const std::string_view text = text_of(bytes);
    return begins_with_first_word(is_utf16(text) ? std::string_view(narrowed(text)) : without_mark(text));
}

Result<Document> read(ByteView bytes, Reading reading) {
    const std::string_view text = text_of(bytes);
    Scanner scanner(without_mark(text), reading);
    if (is_utf16(text)) {
        return scanner.fail_at(0, "text",
                               "found UTF-16 text; allowed is UTF-8, or any encoding that has ASCII in it");
    }
    // Only the hierarchy is searched: the motion reader looks for NULs when a token is not a number.
    constexpr std::size_t before_motion = 4096;
    TRY_VOID(scanner.end_at_nul(hierarchy_size(scanner.text()) + before_motion));
    TRY(auto joints, read_hierarchy(scanner));
    Document document;
    document.joints = std::move(joints);
    if (scanner.skip_blanks()) {
        TRY_VOID(read_motion(scanner, document));
    }
    document.notes = scanner.take_notes();
    return document;
}

}  // namespace animbridge::bvh
