// SPDX-License-Identifier: MIT
#include "formats/mrtk/read.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "base/json.h"
#include "formats/mrtk/errors.h"
#include "formats/mrtk/layouts.h"

namespace animbridge::mrtk {

namespace {

constexpr std::size_t version_at = 8;

bool is_text(ByteView bytes) {
    constexpr std::size_t looked_at = 64;
    const ByteView head = bytes.first(std::min(bytes.size(), looked_at));
    return !head.empty() && std::all_of(head.begin(), head.end(), [](std::uint8_t byte) {
        return (byte >= 0x20 && byte < 0x7F) || byte == '\n' || byte == '\r' || byte == '\t';
    });
}

Result<void> check_magic(ByteView bytes) {
    if (sniff(bytes)) {
        return {};
    }
    if (bytes.size() < sizeof(magic)) {
        return fail_at(ErrorCode::truncated, "magic", 0,
                       "needs 8 bytes, " + std::to_string(bytes.size()) + " are left");
    }
    const std::string found = is_text(bytes) ? "plain text" : hex_of(text_of(bytes.first(sizeof(magic))));
    return fail_at(ErrorCode::bad_value, "magic", 0,
                   "found " + found + ", allowed is c6429e0f6eaf8f6a: not a recording of MRTK");
}

/// The version and the sections.
Result<Document> read_header(ByteView bytes, Reading reading) {
    TRY_VOID(check_magic(bytes));
    ByteReader reader(bytes.subspan(version_at));
    Document document;
    document.curves = {};  // each walk makes its own
    if (bytes.size() < 16) {
        return fail_at(ErrorCode::truncated, "version", version_at,
                       "needs 8 bytes, " + std::to_string(bytes.size() - version_at) + " are left");
    }
    TRY(document.major, reader.read<std::int32_t>("version"));
    TRY(document.minor, reader.read<std::int32_t>("version"));
    const bool known = document.major == 1 && (document.minor == 0 || document.minor == 1);
    const bool older = document.major == 0 && document.minor >= 0;
    if (!known && !(older && reading == Reading::lenient)) {
        return fail_at(ErrorCode::unsupported_version, "version", version_at,
                       "found " + version_text(document) + ", allowed are 1.0 and 1.1");
    }
    if (document.has_sections()) {
        if (reader.remaining() < section_count) {
            return fail_at(ErrorCode::truncated, "sections", 16,
                           "needs 3 bytes, " + std::to_string(reader.remaining()) + " are left");
        }
        TRY(document.sections, reader.read<decltype(document.sections)>("sections"));
    }
    return document;
}

/// A layout that only lenient reading takes, if one fits.
std::optional<Walk> other_layout(ByteView bytes, const Document& start) {
    constexpr std::array layouts = {Layout::without_markers, Layout::full_keys,
                                    Layout::full_keys_without_markers};
    for (const Layout layout : layouts) {
        const bool is_other = layout == Layout::without_markers || start.has_sections();
        if (!is_other) {
            continue;
        }
        if (auto walked = walk(bytes, start, layout);
            walked && walked->end == bytes.size() && is_plausible(bytes, walked->document)) {
            return *std::move(walked);
        }
    }
    return std::nullopt;
}

Error from_fork(std::size_t pose_curves_found) {
    return fail_at(
               ErrorCode::unsupported_version, "Camera", 16,
               "found " + std::to_string(pose_curves_found) +
                   " curves in a pose, allowed are 7: a recording of a program that changed MRTK's format. "
                   "Export it from that program in another format")
        .value();
}

}  // namespace

Result<Document> read(ByteView bytes, Reading reading) {
    TRY(const Document start, read_header(bytes, reading));
    auto walked = walk(bytes, start, Layout::as_specified);
    const bool fits = walked && walked->end == bytes.size();
    // Bytes over may be what another layout has there; a file that the specified layout explains stays that.
    if (!fits) {
        if (const auto fork = fork_pose_curves(bytes, start)) {
            return fail(from_fork(*fork));
        }
        const bool doubtful = !walked || !is_plausible(bytes, walked->document);
        if (doubtful && reading == Reading::lenient) {
            if (auto other = other_layout(bytes, start)) {
                walked = *std::move(other);
            }
        }
    }
    return std::move(walked).map([&](Walk found) { return filled(bytes, std::move(found)); });
}

}  // namespace animbridge::mrtk
