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
constexpr std::size_t minor_at = 12;
constexpr std::size_t sections_at = 16;

bool is_text(ByteView bytes) {
    constexpr std::size_t looked_at = 64;
    const ByteView head = bytes.first(std::min(bytes.size(), looked_at));
    return !head.empty() && std::all_of(head.begin(), head.end(), [](std::uint8_t byte) {
        return (byte >= 0x20 && byte < 0x7F) || byte == '\n' || byte == '\r' || byte == '\t';
    });
}

tl::unexpected<Error> cut_at(std::string field, std::size_t at, std::size_t wanted, std::size_t size) {
    return fail_at(ErrorCode::truncated, std::move(field), at, needed_text(wanted, size - at));
}

Result<void> check_magic(ByteView bytes) {
    if (sniff(bytes)) {
        return {};
    }
    if (bytes.size() < sizeof(magic)) {
        return cut_at("magic", 0, sizeof(magic), bytes.size());
    }
    const std::string found = is_text(bytes) ? "plain text" : hex_of(text_of(bytes.first(sizeof(magic))));
    return fail_at(ErrorCode::bad_value, "magic", 0,
                   "found " + found + ", allowed is c6429e0f6eaf8f6a: not a recording of MRTK");
}

std::int32_t integer_at(ByteView bytes, std::size_t at) {
    std::int32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    return value;
}

/// The version and the sections.
Result<Document> read_header(ByteView bytes) {
    TRY_VOID(check_magic(bytes));
    if (bytes.size() < sections_at) {
        const bool in_major = bytes.size() < minor_at;
        return cut_at(in_major ? "version_major" : "version_minor", in_major ? version_at : minor_at, 4,
                      bytes.size());
    }
    const std::int32_t major = integer_at(bytes, version_at);
    Document document;
    document.curves = {};  // each walk makes its own
    document.minor = integer_at(bytes, minor_at);
    if (major != 1 || document.minor < 0 || document.minor > 1) {
        // MRTK from 2.6 on would read 0.x as 1.0, but no release wrote such a file.
        return fail_at(ErrorCode::unsupported_version, "version", version_at,
                       "found " + std::to_string(major) + "." + std::to_string(document.minor) +
                           ", allowed are 1.0 and 1.1");
    }
    for (std::size_t i = 0; document.has_sections() && i < section_count; ++i) {
        constexpr std::array<const char*, section_count> fields = {"has_camera", "has_hand", "has_gaze"};
        if (bytes.size() <= sections_at + i) {
            return cut_at(fields.at(i), sections_at + i, 1, bytes.size());
        }
        document.sections.at(i) = bytes[sections_at + i];
    }
    return document;
}

/// A layout that only lenient reading accepts, if one fits.
std::optional<Walk> other_layout(ByteView bytes, const Document& start) {
    constexpr std::array layouts = {Layout::no_markers, Layout::wide_keys, Layout::wide_keys_no_markers};
    for (const Layout layout : layouts) {
        const bool is_other = layout == Layout::no_markers || start.has_sections();
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
               ErrorCode::unsupported_version, "layout", sections_at,
               "found " + std::to_string(pose_curves_found) +
                   " curves in a pose, allowed are 7: a recording of a program that changed MRTK's format. "
                   "Export it from that program in another format")
        .value();
}

}  // namespace

Result<Document> read(ByteView bytes, Reading reading) {
    TRY(const Document start, read_header(bytes));
    auto walked = walk(bytes, start, Layout::specified);
    const bool fits = walked && walked->end == bytes.size();
    // Remaining bytes may be part of another layout; but a file that the specified layout explains is read by
    // it.
    if (!fits) {
        if (const auto fork = fork_pose_curves(bytes, start)) {
            return fail(from_fork(*fork));
        }
        const bool doubtful = !walked || !is_plausible(bytes, walked->document);
        const bool is_wanted = doubtful && (!walked || reading == Reading::lenient);
        auto other = is_wanted ? other_layout(bytes, start) : std::nullopt;
        if (other && reading == Reading::lenient) {
            walked = *std::move(other);
        } else if (other && !walked) {
            walked.error().reason +=
                "; lenient reading takes the file: it " + std::string(words_of(other->document.layout));
        }
    }
    return std::move(walked).map([&](Walk found) { return filled(bytes, std::move(found)); });
}

}  // namespace animbridge::mrtk
