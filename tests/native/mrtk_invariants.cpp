// SPDX-License-Identifier: MIT
#include "mrtk_invariants.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/base.h"
#include "formats/mrtk/check/check.h"
#include "formats/mrtk/file/file.h"
#include "formats/mrtk/play/play.h"

namespace animbridge::test {

namespace {

using mrtk::file::Document;

void check_file(const Document& document) {
    const Bytes written = mrtk::file::write(document);
    require(written.size() == mrtk::file::file_bytes(document), "file_bytes is not the file's size");
    const auto again = mrtk::file::read(written, Reading::lenient);
    require(again.has_value(), "a written file is refused: " + (again ? "" : again.error().message()));
    require(*again == document, "a written file reads back to another document");
}

void check_json(const Document& document) {
    const std::string text = print_json(mrtk::file::to_json(document));
    require(is_utf8(text), "JSON that is not UTF-8");
    const auto parsed = parse_json(text);
    require(parsed.has_value(), "JSON does not parse");
    const auto back = mrtk::file::from_json(*parsed);
    require(back.has_value(), "JSON is refused: " + (back ? "" : back.error().message()));
    require(*back == document, "JSON reads back to another document");
    const Json info = mrtk::check::info(document);
    require(is_utf8(print_json(info)), "info is not UTF-8");
    require(!mrtk::check::describe("file", info).empty(), "a description without words");
}

void check_findings(const Document& document) {
    std::set<std::string_view> before;
    for (const CheckLevel level : {CheckLevel::playback, CheckLevel::strict}) {
        std::set<std::string_view> ids;
        for (const Finding& finding : mrtk::check::check(document, level)) {
            require(finding.rule->level <= level, "a finding of a later level");
            require(ids.insert(finding.rule->id).second, "a rule found twice");
            require(finding.byte_offset >= 0, "a finding without its place");
        }
        require(std::includes(ids.begin(), ids.end(), before.begin(), before.end()),
                "a finding is gone at a higher level");
        const bool undefined = ids.contains("times_not_finite") || ids.contains("values_not_finite");
        require(undefined == !mrtk::check::require_playable(document).has_value(),
                "the checks and the player disagree on what can be played");
        before = ids;
    }
}

void check_played(const Document& document) {
    if (!mrtk::check::require_playable(document)) {
        return;
    }
    const mrtk::play::Player player(document);
    const double end = player.duration_seconds();
    for (const double seconds : {-1.0, 0.0, end / 3.0, end, end + 1.0}) {
        for (std::size_t pose = 0; pose < mrtk::file::pose_count; ++pose) {
            if (!player.exists(pose)) {
                continue;
            }
            const mrtk::play::ShownPose shown = player.pose(pose, seconds);
            require(std::abs(glm::length(shown.meant) - 1.0) < 1e-12, "a rotation off unit length");
            require(std::isfinite(shown.position.x + shown.position.y + shown.position.z),
                    "a place that is none");
        }
        require(player.has_gaze() || player.gaze(seconds).direction == glm::dvec3(0.0),
                "a gaze from nowhere");
    }
    constexpr std::size_t compared_quickly = 300;
    if (document.full_keys.size() + document.simple_keys.size() > compared_quickly) {
        return;
    }
    const auto difference = mrtk::play::compare(document, document, Job{});
    require(
        difference && difference->worst().position_mm == 0.0 && difference->worst().rotation_degrees == 0.0,
        "a recording differs from itself");
}

}  // namespace

bool check_mrtk_bytes(ByteView bytes, Effort effort) {
    const auto strict = mrtk::file::read(bytes, Reading::strict);
    const auto document = mrtk::file::read(bytes, Reading::lenient);
    if (!document) {
        require(!strict.has_value(), "strict reading takes what lenient reading refuses");
        check_error(document.error(), bytes.size());
        return false;
    }
    if (strict) {
        const Bytes written = mrtk::file::write(*strict);
        require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()),
                "write(read(bytes)) differs from bytes after strict reading");
        require(strict->layout == mrtk::file::Layout::specified, "strict reading takes another layout");
    } else {
        check_error(strict.error(), bytes.size());
        require(document->layout != mrtk::file::Layout::specified, "lenient reading has another error");
    }
    const Bytes written = mrtk::file::write(*document);
    require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()),
            "write(read(bytes)) differs from bytes");
    require(mrtk::file::sniff(bytes), "a recording is not recognised");
    check_mrtk_document(*document, effort);
    return true;
}

void check_mrtk_document(const Document& document, Effort effort) {
    check_file(document);
    if (effort == Effort::full) {
        check_json(document);
        check_findings(document);
        check_played(document);
    }
}

}  // namespace animbridge::test
