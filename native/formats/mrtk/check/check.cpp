// SPDX-License-Identifier: MIT
#include "formats/mrtk/check/check.h"

#include <cmath>

#include "base/options/options.h"
#include "formats/mrtk/check/checker.h"
#include "formats/mrtk/check/rules.h"

namespace animbridge::mrtk::check {

namespace {

constexpr std::int64_t version_offset = 8;
constexpr std::int64_t sections_offset = 16;

void check_layout(const file::Document& document, FindingList& findings, std::int64_t curves_end) {
    if (document.has_sections() && document.has_full_floats()) {
        findings.add(rule("keys_with_tangents"), "keys of 28 bytes", {}, -1, version_offset);
    }
    if (!document.has_marker_list()) {
        findings.add(rule("missing_markers"), "the end of the file after the curves", {}, -1, curves_end);
    }
}

}  // namespace

void PlaceCounts::report(const std::string& owner, Checked& checked) const {
    for (const Place& place : places_) {
        const curves::CurveView view(checked.document, place.curve);
        const double seconds = view.time(place.key);
        FindingList& findings = checked.findings;
        findings.add(place.rule, place.found, owner, static_cast<std::int64_t>(place.key),
                     checked.offset_of(place.curve, place.key), -1, seconds, place.count);
    }
}

void check_header(Checked& checked) {
    const file::Document& document = checked.document;
    FindingList& findings = checked.findings;
    check_layout(document, findings, static_cast<std::int64_t>(checked.offsets.back()));
    for (std::size_t i = 0; document.has_sections() && i < file::section_count; ++i) {
        if (document.sections.at(i) > 1) {
            findings.add(rule("boolean_not_one"), std::to_string(document.sections.at(i)), {}, -1,
                         sections_offset + static_cast<std::int64_t>(i));
        }
    }
    if (document.full_keys.empty() && document.simple_keys.empty()) {
        findings.add(rule("no_keys"), "0 keys", {}, -1, version_offset);
    }
    if (!document.trailing.empty()) {
        findings.add(rule("trailing_bytes"), std::to_string(document.trailing.size()) + " bytes", {}, -1,
                     static_cast<std::int64_t>(file::file_bytes(document) - document.trailing.size()));
    }
    if (const double first = curves::first_seconds(document); first < 0.0) {
        findings.add(rule("negative_times"), six_digits(first) + " s", {}, -1, version_offset);
    }
}

void check_markers(Checked& checked) {
    const file::Document& document = checked.document;
    FindingList& findings = checked.findings;
    const std::vector<file::NamedMarker> named = file::named_markers(document);
    std::size_t at = checked.offsets.back() + sizeof(std::int32_t);
    for (std::size_t i = 0; i < named.size(); ++i) {
        const file::Marker& marker = document.markers[i];
        const float time = named[i].time.value();
        const auto add = [&](std::string_view rule, const std::string& found) {
            findings.add(rule, "marker " + std::to_string(i) + ": " + found, {}, -1,
                         static_cast<std::int64_t>(at));
        };
        if (!std::isfinite(time)) {
            add(rule("marker_time_not_finite"), six_digits(static_cast<double>(time)));
        }
        if (i > 0 && time < named[i - 1].time.value()) {
            add(rule("markers_not_sorted"), six_digits(static_cast<double>(time)) + " s");
        }
        if (!is_utf8(named[i].name)) {
            add(rule("marker_name_not_utf8"), to_utf8(shortened(named[i].name, 60)));
        }
        constexpr std::size_t bits = 7;
        if (marker.length_bytes > 1 && marker.name_bytes >> (bits * (marker.length_bytes - 1U)) == 0) {
            add(rule("marker_length_not_minimal"),
                std::to_string(marker.length_bytes) + " bytes for " + std::to_string(marker.name_bytes));
        }
        at += sizeof(RawFloat) + marker.length_bytes + marker.name_bytes;
    }
}

std::vector<Finding> check(const file::Document& document, CheckLevel level) {
    FindingList findings(rules(), level);
    Checked checked{document, file::curve_offsets(document), findings};
    check_header(checked);
    check_keys(checked);
    check_poses(checked);
    check_markers(checked);
    return findings.take();
}

std::vector<Finding> tolerated(const file::Document& document) {
    FindingList findings(rules(), CheckLevel::strict);
    check_layout(document, findings, static_cast<std::int64_t>(file::curve_offsets(document).back()));
    return findings.take();
}

std::span<const Rule> rules() { return rule_table::all_rules; }

}  // namespace animbridge::mrtk::check
