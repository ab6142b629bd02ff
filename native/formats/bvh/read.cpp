// SPDX-License-Identifier: MIT
#include "formats/bvh/read.h"

#include <algorithm>

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

/// UTF-16 with its mark.
bool is_utf16(std::string_view text) { return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"); }

/// The first letters of UTF-16 as if they were bytes.
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
    const std::string_view behind = text.substr(std::min(text.size(), first_word.size()));
    return same_word(text.substr(0, first_word.size()), first_word) &&
           (behind.empty() || is_blank(behind.front()) || behind.front() == '\0');
}

/// The text up to a NUL, which no text has.
Result<void> end_at_nul(Scanner& scanner) {
    const std::size_t nul = scanner.text().find('\0');
    if (nul == std::string_view::npos) {
        return {};
    }
    if (!scanner.lenient()) {
        return scanner.fail_at(nul, "text",
                               "found a NUL byte; allowed is text (lenient reading lets the text end there)");
    }
    scanner.note(rule::text_after_nul, nul,
                 std::to_string(scanner.text().size() - nul) + " bytes from a NUL on");
    scanner.cut(nul);
    return {};
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
    if (auto whole = end_at_nul(scanner); !whole) {
        return tl::unexpected<Error>(std::move(whole.error()));
    }
    auto joints = read_hierarchy(scanner);
    if (!joints) {
        return tl::unexpected<Error>(std::move(joints.error()));
    }
    Document document;
    document.joints = std::move(*joints);
    if (scanner.skip_blanks()) {
        if (auto motion = read_motion(scanner, document); !motion) {
            return tl::unexpected<Error>(std::move(motion.error()));
        }
    }
    document.notes = scanner.take_notes();
    return document;
}

}  // namespace animbridge::bvh
