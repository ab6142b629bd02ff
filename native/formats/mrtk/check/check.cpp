// SPDX-License-Identifier: MIT
#include "formats/mrtk/check/check.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/base.h"
#include "base/options/options.h"
#include "formats/mrtk/check/checker.h"
#include "formats/mrtk/check/rules.h"

namespace animbridge::mrtk::check {

namespace {

constexpr std::int64_t version_offset = 8;
constexpr std::int64_t sections_offset = 16;

void check_layout(const file::Document& document, FindingList& findings, std::int64_t curves_end) {
    if (document.has_sections() && document.has_full_floats()) {
        findings.add(rule::keys_with_tangents, "keys of 28 bytes", {}, -1, version_offset);
    }
    if (!document.has_marker_list()) {
        findings.add(rule::missing_markers, "the end of the file after the curves", {}, -1, curves_end);
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
            findings.add(rule::boolean_not_one, std::to_string(document.sections.at(i)), {}, -1,
                         sections_offset + static_cast<std::int64_t>(i));
        }
    }
    if (document.full_keys.empty() && document.simple_keys.empty()) {
        findings.add(rule::no_keys, "0 keys", {}, -1, version_offset);
    }
    if (!document.trailing.empty()) {
        findings.add(rule::trailing_bytes, std::to_string(document.trailing.size()) + " bytes", {}, -1,
                     static_cast<std::int64_t>(file::file_bytes(document) - document.trailing.size()));
    }
    if (const double first = curves::first_seconds(document); first < 0.0) {
        findings.add(rule::negative_times, six_digits(first) + " s", {}, -1, version_offset);
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
            add(rule::marker_time_not_finite, six_digits(static_cast<double>(time)));
        }
        if (i > 0 && time < named[i - 1].time.value()) {
            add(rule::markers_not_sorted, six_digits(static_cast<double>(time)) + " s");
        }
        if (!is_utf8(named[i].name)) {
            add(rule::marker_name_not_utf8, to_utf8(shortened(named[i].name, 60)));
        }
        constexpr std::size_t bits = 7;
        if (marker.length_bytes > 1 && marker.name_bytes >> (bits * (marker.length_bytes - 1U)) == 0) {
            add(rule::marker_length_not_minimal,
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

namespace {

using enum FindingClass;
using enum CheckLevel;

// clang-format off
constexpr std::array<Rule, 28> all_rules = {{
    {rule::times_not_finite, rejected, playback,
     "A key has a time that is not a number: what plays is undefined.",
     "Delete the key, or set its time."},
    {rule::values_not_finite, rejected, playback,
     "A key has a value or tangent that is not a number: what plays is undefined.",
     "Delete the key, or set it again."},
    {rule::missing_markers, rejected, playback,
     "The file ends before the list of markers. MRTK refuses it.",
     "Write the file as MRTK reads it: `animbridge edit IN OUT --mrtk-version 1.1`, or 1.0 if that is its version."},
    {rule::keys_with_tangents, rejected, playback,
     "The file has version 1.1 with the keys of version 1.0. MRTK misreads or refuses it.",
     "Write the file as MRTK reads it: `animbridge edit IN OUT --mrtk-version 1.1`. Version 1.0 keeps bent curves, but no gaze."},
    {rule::no_keys, risky, playback,
     "The recording has no keys: nothing plays.",
     "Record again."},
    {rule::times_not_sorted, altered, playback,
     "The keys are not in order of time. Unity sorts them.",
     "Sort the keys."},
    {rule::unknown_wrap_mode, risky, playback,
     "The wrap mode is not one of Unity's. It is played as one that holds the last value.",
     "Set the wrap mode to 8 (clamp forever), which is what MRTK writes."},
    {rule::unknown_weighted_mode, risky, playback,
     "The weighted mode is not one of Unity's. Its two lowest bits are used.",
     "Set the weighted mode to 0 to 3."},
    {rule::weights_out_of_range, risky, playback,
     "A weight is outside 0 to 1. It is played as the nearer of the two, or as 0 if it is not a number; Unity may show something else.",
     "Set the weight to 0 to 1."},
    {rule::lost_rotation_w, risky, playback,
     "The rotation has lost its W, as in every recording of MRTK 2.6.0 to 2.7.2. The joint plays far off.",
     "Restore W from the other curves: `animbridge edit IN OUT --repair-rotation-w`."},
    {rule::sign_flips, risky, playback,
     "The quaternion changes its sign between keys. MRTK goes through zero there, and the joint tumbles.",
     "Make the signs continuous: `animbridge edit IN OUT --continue-signs`."},
    {rule::rotation_length, risky, playback,
     "The quaternion's length is far from 1. MRTK does not normalise it.",
     "Normalise the quaternion, or record again. A key that an edit inserted has the length that MRTK played there before: leave it."},
    {rule::zero_rotations, risky, playback,
     "The quaternion is zero, which is no rotation at all. Programs show different things. Simulated hands have such keys in None.",
     "Set it to no rotation: `animbridge edit IN OUT --repair-zero-rotations`."},
    {rule::joints_missing, risky, playback,
     "A joint of a recorded hand has no keys. MRTK shows it at the origin of the world.",
     "If the program that plays the recording does not use the joint, you need not do anything."},
    {rule::hand_not_tracked, risky, playback,
     "A hand has joints, but is never tracked. MRTK does not show it.",
     "Set when the hand is tracked: in Blender, key the armature's property `tracked_left` or `tracked_right`."},
    {rule::single_key_joints, risky, playback,
     "All of the joint's curves have a single key, as MRTK from 2.6 on leaves joints seen for 32 samples or fewer. It stands still.",
     "Record longer, or with a partition size of 0 in MRTK's profile."},
    {rule::lost_tail, risky, playback,
     "Curves seem to stop before the recording's end: MRTK from 2.6 on loses up to 31 samples of each. They cannot be restored.",
     "Record a second longer than needed, or with a partition size of 0 in MRTK's profile."},
    {rule::marker_time_not_finite, risky, playback,
     "A marker has a time that is not a number.",
     "Set the marker's time in seconds."},
    {rule::negative_times, advice, strict,
     "The recording begins before 0 seconds. MRTK plays from 0; the keys before only lead there.",
     "Play it from its first key: `animbridge edit IN OUT --start-at-zero`."},
    {rule::bridged_gaps, advice, strict,
     "A hand was out of sight for a while, and its joints go on lines to where it was seen again. MRTK hides the hand; other programs may show it.",
     "Hide the hand while it is not tracked, as Blender's import does."},
    {rule::key_times_differ, advice, strict,
     "The curves of one position or rotation have keys at different times. It plays the same; other tools may need keys in common.",
     "Key them together."},
    {rule::duplicate_key_time, advice, strict,
     "Keys of a curve have the same time. The last one counts from that time on.",
     "Remove the others, unless a jump is meant."},
    {rule::markers_not_sorted, advice, strict,
     "The markers are not in order of time.",
     "Sort the markers."},
    {rule::marker_name_not_utf8, advice, strict,
     "A marker's name is not UTF-8. MRTK shows other characters.",
     "Rename the marker."},
    {rule::marker_length_not_minimal, advice, strict,
     "The length of a marker's name takes more bytes than it needs. MRTK reads it all the same.",
     "Nothing: it plays the same."},
    {rule::boolean_not_one, advice, strict,
     "A section's flag is neither 0 nor 1. MRTK reads it as true.",
     "Set the flag to 1."},
    {rule::switch_not_boolean, advice, strict,
     "A key of tracked or pinch is neither 0 nor 1. MRTK reads values above 0.5 as true.",
     "Set the value to 0 or 1."},
    {rule::trailing_bytes, advice, strict,
     "Bytes follow the markers. MRTK ignores them.",
     "Remove the bytes if other tools must read the file."},
}};
// clang-format on

}  // namespace

std::span<const Rule> rules() { return all_rules; }

}  // namespace animbridge::mrtk::check
