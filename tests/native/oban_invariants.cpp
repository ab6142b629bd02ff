// SPDX-License-Identifier: MIT
#include "oban_invariants.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "formats/oban/check/check.h"
#include "formats/oban/edit/edit.h"
#include "formats/oban/file/file.h"
#include "formats/oban/play/play.h"

namespace animbridge::test {

namespace {

using oban::file::Container;
using oban::file::Document;

/// An instance of a level may have bytes after its keys; a separate file must not.
bool is_a_file(const Document& document) {
    return document.container != Container::raw || document.record.tail.empty();
}

void check_file(const Document& document) {
    if (!is_a_file(document)) {
        return;
    }
    const Bytes written = oban::file::write(document);
    const auto again = oban::file::read(written);
    require(again.has_value(), "a written file is refused: " + (again ? "" : again.error().message()));
    require(again->record == document.record, "a written file reads back to another record");
    require(document.container != Container::oni || *again == document,
            "a written .oni reads back to another document");
    require(oban::file::write(*again) == written, "writing again gives other bytes");
}

void check_json(const Document& document) {
    const std::string text = print_json(oban::file::to_json(document));
    require(is_utf8(text), "JSON that is not UTF-8");
    const auto parsed = parse_json(text);
    require(parsed.has_value(), "JSON does not parse");
    const auto back = oban::file::from_json(*parsed);
    require(back.has_value(), "JSON is refused: " + (back ? "" : back.error().message()));
    require(*back == document, "JSON reads back to another document");
    require(is_utf8(print_json(oban::edit::info(document))), "info is not UTF-8");
}

void check_findings(const Document& document) {
    std::set<std::string_view> before;
    for (const CheckLevel level : {CheckLevel::playback, CheckLevel::strict}) {
        std::set<std::string_view> ids;
        const auto findings = oban::check::check(document, level);
        for (const Finding& finding : findings) {
            require(finding.rule->level <= level, "a finding of a later level");
            require(ids.insert(finding.rule->id).second, "a rule found twice");
            require(document.container == Container::xml || finding.byte_offset >= 0,
                    "a finding without its place");
        }
        require(std::includes(ids.begin(), ids.end(), before.begin(), before.end()),
                "a finding is gone at a higher level");
        require(any_rejected(findings) == !oban::play::require_playable(document.record).has_value(),
                "the checks and the player disagree on what can be played");
        before = ids;
    }
}

void check_played(const oban::file::Record& record) {
    if (!oban::play::require_playable(record)) {
        return;
    }
    const oban::play::Player player(record);
    for (const double frame : {-1.0, 0.0, 0.5, player.last_frame() / 3.0, player.last_frame(), 1e9}) {
        const oban::play::Pose pose = player.pose(frame);
        require(std::fabs(glm::length(pose.rotation) - 1.0) < 1e-12, "a rotation off unit length");
        require(std::isfinite(pose.position.x + pose.position.y + pose.position.z), "a place that is none");
        const double looped = player.looped_frame(frame);
        require(looped >= 0.0 && looped <= player.last_frame(), "a loop beyond the end");
    }
    constexpr double shown_often = 1000.0;  // every frame of 32,767 would take long
    if (player.last_frame() > shown_often) {
        return;
    }
    const auto difference = oban::play::compare(record, record, Job{});
    require(difference && difference->pose.position_mm == 0.0 && difference->pose.rotation_degrees == 0.0 &&
                difference->fields.empty(),
            "a record differs from itself");
}

/// Converts to each container, and from there to a file and back.
void check_containers(const Document& document) {
    for (const Container container : {Container::raw, Container::oni, Container::xml}) {
        const auto changed = oban::edit::in_container(document, container, "fallback");
        if (!changed) {
            require(container != Container::raw, "a document has no raw record");
            require(container != Container::oni || changed.error().field == "name",
                    "a .oni is refused: " + changed.error().message());
            require(container != Container::xml || document.record.keys.size() > oban::file::max_keys,
                    "XML is refused: " + changed.error().message());
            continue;
        }
        require(changed->document.container == container, "a document in another container");
        require(changed->document.record.keys.size() == document.record.keys.size(),
                "a container that loses keys");
        // Padding may contain the mark of a container: a file without a mark of its own is then read as that.
        const std::uint32_t mark =
            container == Container::raw ? oban::file::version_of(oban::file::write(changed->document)) : 0;
        if (mark != oban::file::level_version && mark != oban::file::oni_version &&
            mark != oban::file::unseen_version) {
            check_file(changed->document);
        }
    }
}

}  // namespace

bool check_oban_bytes(ByteView bytes, Effort effort) {
    const auto document = oban::file::read(bytes);
    if (!document) {
        check_error(document.error(), bytes.size());
        return false;
    }
    if (document->container != Container::xml) {
        const Bytes written = oban::file::write(*document);
        require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()),
                "write(read(bytes)) differs from bytes");
        require(document->container == Container::raw || oban::file::sniff(bytes),
                "a .oni is not recognised");
    }
    check_oban_document(*document, effort);
    return true;
}

void check_oban_document(const Document& document, Effort effort) {
    check_file(document);
    if (effort == Effort::full) {
        check_json(document);
        check_findings(document);
        check_played(document.record);
        check_containers(document);
    }
}

}  // namespace animbridge::test
