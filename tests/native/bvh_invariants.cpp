// SPDX-License-Identifier: MIT
#include "bvh_invariants.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "formats/bvh/check/check.h"
#include "formats/bvh/clip/clip.h"
#include "formats/bvh/file/file.h"

namespace animbridge::test {

namespace {

using bvh::file::Document;

bool finite(const bvh::file::Offset& offset) {
    return std::all_of(offset.begin(), offset.end(), [](double value) { return std::isfinite(value); });
}

void check_refusal(const Error& error) {
    require(error.code == ErrorCode::truncated || error.code == ErrorCode::bad_value,
            "error code " + std::to_string(static_cast<int>(error.code)));
    require(!error.field.empty() && !error.reason.empty(), "an error without field or reason");
    require(error.line >= 1 && error.column >= 1, "an error without its place");
    require(is_utf8(error.message()), "an error that is not UTF-8");
}

void check_form(const Document& document) {
    require(document.motion.size() == document.frame_count * document.channel_count(),
            "frames times channels are not the numbers");
    require(std::isfinite(document.frame_time_seconds), "a frame time that is no number");
    require(std::all_of(document.motion.begin(), document.motion.end(),
                        [](double value) { return std::isfinite(value); }),
            "a motion with what is no number");
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        const bvh::file::Joint& joint = document.joints[i];
        while (!open.empty() && (!joint.parent || open.back() != *joint.parent)) {
            open.pop_back();
        }
        require(joint.parent.has_value() != open.empty(), "joints are not depth first");
        open.push_back(i);
        require(open.size() <= bvh::file::max_depth, "nested too deep");
        require(joint.channels.size() <= bvh::file::max_joint_channels, "too many channels");
        require(finite(joint.offset), "an offset that is no number");
        for (const bvh::file::EndSite& site : joint.end_sites) {
            require(finite(site.offset), "an end site that is nowhere");
        }
    }
}

void check_text(const Document& document) {
    const Bytes written = bvh::file::write(document);
    require(bvh::file::sniff(written), "a written file is not recognised");
    const auto again = bvh::file::read(written, Reading::strict);
    require(again.has_value(), "a written file is refused: " + (again ? "" : again.error().message()));
    require(same_values(*again, document) && again->notes.empty(),
            "a written file reads back to another document");
    require(bvh::file::write(*again) == written, "writing again gives other bytes");
    const auto rounded = bvh::file::read(bvh::file::write(document, {3}), Reading::strict);
    require(rounded && rounded->frame_count == document.frame_count &&
                rounded->joints.size() == document.joints.size(),
            "a file with three decimals does not read back");
}

void check_json(const Document& document) {
    const std::string text = print_json(bvh::file::to_json(document));
    require(is_utf8(text), "JSON that is not UTF-8");
    const auto parsed = parse_json(text);
    require(parsed.has_value(), "JSON does not parse");
    const auto back = bvh::file::from_json(*parsed);
    require(back.has_value(), "JSON is refused: " + (back ? "" : back.error().message()));
    require(same_values(*back, document) && back->notes == document.notes,
            "JSON reads back to another document");
    require(is_utf8(print_json(bvh::check::info(document))), "info is not UTF-8");
}

void check_findings(const Document& document) {
    std::set<std::string_view> before;
    for (const CheckLevel level : {CheckLevel::playback, CheckLevel::upload, CheckLevel::strict}) {
        std::set<std::string_view> ids;
        std::map<std::string_view, int> counts;
        for (const Finding& finding : bvh::check::check(document, level)) {
            require(finding.rule != nullptr, "a finding without a rule");
            require(finding.rule->level <= level, "a finding of a later level");
            ids.insert(finding.rule->id);
            require(++counts[finding.rule->id] <= 100, "more than 100 findings of a rule");
        }
        require(std::includes(ids.begin(), ids.end(), before.begin(), before.end()),
                "a finding is gone at a higher level");
        before = ids;
    }
}

/// Plays a document, and writes the result again.
void check_clip(const Document& document) {
    const auto clip = bvh::clip::to_clip(document, usual_placement);
    if (!clip) {
        require(clip.error().code == ErrorCode::bad_value, "a clip is refused for no value");
        return;
    }
    bvh::clip::FromClip options;
    options.placement = usual_placement;
    options.frame_time_seconds = document.frame_time_seconds;
    options.frame_count = document.frame_count;
    for (const bvh::file::Joint& joint : document.joints) {
        options.channels.push_back(joint.channels);
    }
    for (const Track& track : clip->tracks) {
        require(track.key_count() == document.frame_count, "a track without a key at each frame");
        for (std::size_t key = 0; track.channel == Channel::rotation && key < track.key_count(); ++key) {
            require(std::abs(glm::length(track.rotation(key)) - 1.0) < 1e-12, "a rotation off unit length");
        }
    }
    check_form(bvh::clip::from_clip(*clip, options));
}

}  // namespace

bool same_values(const Document& a, const Document& b) {
    const auto same = [](double x, double y) {
        return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    };
    const auto same_zeros = [&](const bvh::file::Joint& x, const bvh::file::Joint& y) {
        return std::equal(x.offset.begin(), x.offset.end(), y.offset.begin(), same);
    };
    return a.joints == b.joints &&
           std::equal(a.joints.begin(), a.joints.end(), b.joints.begin(), b.joints.end(), same_zeros) &&
           a.frame_count == b.frame_count && same(a.frame_time_seconds, b.frame_time_seconds) &&
           std::equal(a.motion.begin(), a.motion.end(), b.motion.begin(), b.motion.end(), same);
}

bool check_bvh_bytes(ByteView bytes, Effort effort) {
    const auto strict = bvh::file::read(bytes, Reading::strict);
    const auto lenient = bvh::file::read(bytes, Reading::lenient);
    if (!strict) {
        check_refusal(strict.error());
    }
    if (!lenient) {
        check_refusal(lenient.error());
        require(!strict, "strict reading takes what lenient reading refuses");
        return false;
    }
    require(!strict || (same_values(*strict, *lenient) && strict->notes == lenient->notes),
            "the two readings differ");
    for (const bvh::file::Note& note : lenient->notes) {
        const auto rules = bvh::file::rules();
        require(
            std::any_of(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.id == note.rule; }),
            "a note of no rule: " + note.rule);
        require(note.line >= 1, "a note without a line");
    }
    check_bvh_document(*lenient, effort);
    return true;
}

void check_bvh_document(const Document& document, Effort effort) {
    check_form(document);
    check_text(document);
    if (effort == Effort::full) {
        check_json(document);
        check_findings(document);
        check_clip(document);
    }
}

}  // namespace animbridge::test
