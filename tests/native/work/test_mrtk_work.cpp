// SPDX-License-Identifier: MIT
// Hostile recordings: the work grows with the size, and not faster.
#include <array>
#include <string>
#include <vector>

#include "catch.h"
#include "formats/mrtk/check/check.h"
#include "formats/mrtk/clip/clip.h"
#include "formats/mrtk/edit/edit.h"
#include "formats/mrtk/file/file.h"
#include "formats/mrtk/play/play.h"
#include "mrtk_small.h"
#include "reduce/reduce.h"
#include "work/count.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

constexpr std::size_t some_keys = some_bytes / sizeof(mrtk::file::SimpleKey);

/// Markers without names, which are 5 bytes each.
mrtk::file::Document of_markers(std::size_t n) {
    mrtk::file::Document document = recording_of(quarter_turn());
    for (std::size_t i = 0; i < n / 5; ++i) {
        // From the last to the first, with the longest spelling of a length for every other one.
        document.markers.push_back(
            {RawFloat(static_cast<float>(n - i)), 0, static_cast<std::uint8_t>(1 + 4 * (i % 2))});
    }
    return document;
}

/// One curve with keys from the last to the first.
mrtk::file::Document unsorted(std::size_t keys) {
    mrtk::curves::LooseCurves curves = quarter_turn();
    for (std::size_t i = 0; i < keys; ++i) {
        curves[0].keys.push_back(line_key(static_cast<double>(keys - i), static_cast<double>(i % 3)));
    }
    return recording_of(curves);
}

/// A rotation that changes its sign at every key, and lost its W in the second joint.
mrtk::file::Document flipping(std::size_t keys) {
    mrtk::curves::LooseCurves curves(mrtk::file::curve_count);
    for (std::size_t i = 0; i < keys / 14; ++i) {
        const double sign = i % 2 == 0 ? 1.0 : -1.0;
        for (const std::size_t joint : two_joints) {
            add_pose(curves, mrtk::file::pose_of(0, joint), static_cast<double>(i),
                     {0, 0, sign, 0.6 * sign, 0, 0, 0.8 * sign});
        }
    }
    curves[mrtk::file::first_curve_of(mrtk::file::pose_of(0, mrtk::file::palm)) + 6].keys.resize(1);
    return recording_of(curves);
}

void read_and_report(const mrtk::file::Document& document) {
    const Bytes bytes = mrtk::file::write(document);
    const auto read = mrtk::file::read(bytes, Reading::lenient);
    REQUIRE(read.has_value());
    CHECK(*read == document);
    CHECK(mrtk::file::from_json(mrtk::file::to_json(document)).has_value());
    static_cast<void>(mrtk::check::check(document, CheckLevel::strict));
    static_cast<void>(mrtk::check::info(document));
}

void edit_all(const mrtk::file::Document& document) {
    const Json edits = {{"repair_rotation_w", true},
                        {"repair_zero_rotations", true},
                        {"continue_signs", true},
                        {"speed", 2},
                        {"version", "1.0"}};
    CHECK(mrtk::edit::edit(document, edits).has_value());
    CHECK(mrtk::edit::trimmed(document, *trim_from("0.3:")).has_value());
    const std::array<const mrtk::file::Document*, 3> all = {&document, &document, &document};
    CHECK(mrtk::edit::join(all, Json::object()).has_value());
    CHECK(mrtk::play::compare(document, document, Job()).has_value());
}

void move_hands(const mrtk::file::Document& document) {
    const mrtk::play::Player player(document);
    static_cast<void>(mrtk::clip::hand_motion(document, player, mrtk::hands::hand_rig(player, {})));
}

}  // namespace

TEST_CASE("recordings are read and checked in linear work", "[mrtk-work]") {
    check_linear(some_bytes, of_markers, read_and_report);
    check_linear(some_keys, unsorted, read_and_report);
    check_linear(some_keys, flipping, read_and_report);
    check_linear(some_keys / 14, disjoint_times, read_and_report);
}

TEST_CASE("recordings are edited, joined and compared in linear work", "[mrtk-work]") {
    check_linear(some_bytes, of_markers, edit_all);
    check_linear(some_keys, unsorted, edit_all);
    check_linear(some_keys, flipping, edit_all);
    check_linear(some_keys / 14, disjoint_times, edit_all);
}

TEST_CASE("the joints of hands get their keys in linear work", "[mrtk-work]") {
    check_linear(some_keys, flipping, move_hands);
    // From 30 000 times on, the number of keys grows with the file.
    check_linear(2048, disjoint_times, move_hands);
}
