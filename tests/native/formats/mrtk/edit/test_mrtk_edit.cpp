// SPDX-License-Identifier: MIT
// Repairs, cuts and versions of MRTK recordings.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "formats/mrtk/check/check.h"
#include "formats/mrtk/curves/curves.h"
#include "formats/mrtk/edit/edit.h"
#include "formats/mrtk/play/play.h"
#include "model/clip/clip.h"
#include "mrtk_fixtures.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

mrtk::edit::Edited edited(const std::string& file, const Json& edits) {
    auto made = mrtk::edit::edit(mrtk_document(file), edits);
    INFO((made ? "" : made.error().message()));
    REQUIRE(made.has_value());
    const auto again = mrtk::file::read(mrtk::file::write(made->document), Reading::strict);
    REQUIRE(again.has_value());
    CHECK(*again == made->document);
    return *std::move(made);
}

bool finds(const mrtk::file::Document& document, std::string_view id) {
    const auto findings = mrtk::check::check(document, CheckLevel::strict);
    return std::any_of(findings.begin(), findings.end(),
                       [&](const Finding& finding) { return finding.rule->id == id; });
}

JointDifference difference(const mrtk::file::Document& a, const mrtk::file::Document& b) {
    return mrtk::play::compare(a, b, Job{}).value().worst();
}

/// The largest difference of curves from each other, the second at (time + shift) / speed.
double curve_difference(const mrtk::file::Document& before, const mrtk::file::Document& after, double from,
                        double to, double shift, double speed) {
    const mrtk::play::Player a(before);
    const mrtk::play::Player b(after);
    double largest = 0;
    constexpr int samples = 300;
    for (std::size_t i = 0; i < mrtk::file::curve_count; ++i) {
        for (int sample = 0; sample <= samples && !a.curve(i).empty(); ++sample) {
            const double seconds = from + (to - from) * sample / samples;
            largest = std::max(largest, std::abs(a.curve(i).evaluate(seconds) -
                                                 b.curve(i).evaluate((seconds + shift) / speed)));
        }
    }
    return largest;
}

}  // namespace

TEST_CASE("an edit of nothing changes nothing", "[mrtk-edit]") {
    for (const char* const file : {"two_hands_v10.bin", "markers.bin", "weights.bin", "trailing_byte.bin"}) {
        const auto made = mrtk::edit::edit(mrtk_document(file), Json::object());
        REQUIRE(made.has_value());
        CHECK(mrtk::file::write(made->document) == mrtk_fixture(file));
        CHECK(made->report.empty());
    }
}

TEST_CASE("a lost W comes back from the other curves", "[mrtk-edit]") {
    for (const Json& row : mrtk_rows()) {
        const auto file = row["file"].get<std::string>();
        if (file.substr(0, 6) != "lost_w" || file == "lost_w_and_tail.bin") {
            continue;
        }
        INFO(file);
        const mrtk::file::Document original = mrtk_document(row["original"].get<std::string>());
        const mrtk::edit::Edited made = edited(file, {{"repair_rotation_w", true}});
        CHECK_FALSE(finds(made.document, "lost_rotation_w"));
        std::vector<double> degrees;
        // For the camera there is only continuity, as the specification of the repair says.
        for (std::size_t pose = 1; pose < mrtk::file::pose_count; ++pose) {
            const mrtk::curves::RotationViews wanted = mrtk::curves::rotation_of(original, pose);
            const mrtk::curves::RotationViews found = mrtk::curves::rotation_of(made.document, pose);
            REQUIRE(found[3].size() == wanted[3].size());
            for (std::size_t key = 0; key < wanted[3].size(); ++key) {
                const auto at = [&](const mrtk::curves::RotationViews& views) {
                    return glm::dquat(views[3].value(key), views[0].value(key), views[1].value(key),
                                      views[2].value(key));
                };
                degrees.push_back(angle_between_degrees(at(found), at(wanted)));
            }
        }
        std::sort(degrees.begin(), degrees.end());
        double sum = 0;
        for (const double each : degrees) {
            sum += each;
        }
        const double mean = sum / static_cast<double>(degrees.size());
        const double most = degrees[degrees.size() * 95 / 100];
        INFO("mean " << mean << ", 95 % " << most << ", largest " << degrees.back());
        // A length that is off by 0.0008, like those of trackers, costs up to 4.6 degrees around a W of 0,
        // which most joints of these fixtures pass: the witness's own repair has the same limit.
        CHECK(mean < 2.0);
        CHECK(most < 4.6);
        CHECK(made.report["repair_rotation_w"]["by_twin"].get<int>() > 0);
    }
}

TEST_CASE("continuous signs play what was recorded", "[mrtk-edit]") {
    const mrtk::file::Document flipped = mrtk_document("flipped_signs.bin");
    const mrtk::edit::Edited made = edited("flipped_signs.bin", {{"continue_signs", true}});
    CHECK_FALSE(finds(made.document, "sign_flips"));
    CHECK(difference(flipped, made.document).rotation_degrees == 0.0);
    CHECK(made.report["continue_signs"]["keys"].get<int>() > 0);
    // Continuous signs stay unchanged.
    CHECK(edited("two_hands_v10.bin", {{"continue_signs", true}}).document ==
          mrtk_document("two_hands_v10.bin"));
}

TEST_CASE("zero quaternions become no rotation", "[mrtk-edit]") {
    const mrtk::edit::Edited made = edited("none_with_zeros.bin", {{"repair_zero_rotations", true}});
    CHECK_FALSE(finds(made.document, "zero_rotations"));
    CHECK(made.report["repair_zero_rotations"]["keys"].get<int>() > 0);
}

TEST_CASE("a recording that begins before 0 moves to 0", "[mrtk-edit]") {
    const mrtk::edit::Edited made = edited("negative_times.bin", {{"start_at_zero", true}});
    CHECK_FALSE(finds(made.document, "negative_times"));
    CHECK(made.report["start_at_zero"]["moved_seconds"] == 1.25);
    CHECK(mrtk::curves::first_seconds(made.document) == 0.0);
}

TEST_CASE("a cut keeps every curve as it is", "[mrtk-edit]") {
    constexpr double from = 0.43;
    constexpr double to = 1.27;
    // Values and times are rounded to floats: a metre or a quaternion's component to 6e-8, and a slope of 10
    // per second moves a value by ten times the rounding of the time.
    constexpr double rounding = 3e-6;
    for (const char* const file : {"two_hands_v10.bin", "two_hands_v11.bin", "weights.bin", "hermite.bin",
                                   "weights_0_and_1.bin", "steps.bin"}) {
        INFO(file);
        const mrtk::file::Document before = mrtk_document(file);
        const mrtk::file::Document part = mrtk::edit::trimmed(before, *trim_from("0.43:1.27")).value();
        CHECK(std::abs(mrtk::curves::duration_seconds(part) - (to - from)) < 1e-7);
        CHECK(mrtk::curves::first_seconds(part) == 0.0);
        // Right beside the cuts, where a step may be on either side of them.
        CHECK(curve_difference(before, part, from + 1e-6, to - 1e-6, -from, 1.0) < rounding);
    }
}

TEST_CASE("a curve that is cut repeats no more", "[mrtk-edit]") {
    const mrtk::file::Document before = mrtk_document("wrap_loop.bin");
    const mrtk::curves::CurveView whole(before, 0);
    REQUIRE(whole.post_wrap() == mrtk::file::loop);
    const double last = whole.time(whole.size() - 1);
    REQUIRE(last > 0.5);
    for (const char* const side : {"0.5:", ":0.5"}) {
        INFO(side);
        const mrtk::file::Document part = mrtk::edit::trimmed(before, *trim_from(side)).value();
        CHECK(mrtk::curves::CurveView(part, 0).pre_wrap() == mrtk::file::clamp_forever);
        CHECK(mrtk::curves::CurveView(part, 0).post_wrap() == mrtk::file::clamp_forever);
    }
    // Here the cut is after all of its keys, and it repeats until there.
    const double end = mrtk::curves::duration_seconds(before);
    REQUIRE(end > last);
    const mrtk::file::Document all = mrtk::edit::trimmed(before, *trim_from(":100%")).value();
    CHECK(mrtk::curves::CurveView(all, 0).post_wrap() == mrtk::file::loop);
    CHECK(curve_difference(before, all, mrtk::curves::first_seconds(before), end, 0.0, 1.0) < 1e-6);
}

TEST_CASE("joined curves repeat no more, and the report says so", "[mrtk-edit]") {
    const mrtk::file::Document repeating = mrtk_document("wrap_loop.bin");
    const mrtk::file::Document other = mrtk_document("camera_v10.bin");
    const std::array<const mrtk::file::Document*, 3> all = {&repeating, &other, &repeating};
    const auto joined = mrtk::edit::join(all, Json::object());
    REQUIRE(joined.has_value());
    CHECK(joined->report["held_curves"] == 14);
    for (std::size_t i = 0; i < mrtk::file::pose_curves; ++i) {
        CHECK(mrtk::curves::CurveView(joined->document, i).post_wrap() == mrtk::file::clamp_forever);
    }
}

TEST_CASE("a cut that leaves nothing is refused", "[mrtk-edit]") {
    for (const char* const part : {"99:", "1:0.5", ":0"}) {
        const auto made = mrtk::edit::trimmed(mrtk_document("two_hands_v10.bin"), *trim_from(part));
        REQUIRE_FALSE(made.has_value());
        CHECK(made.error().field == "trim");
    }
}

TEST_CASE("speed moves every key and every slope", "[mrtk-edit]") {
    const mrtk::file::Document before = mrtk_document("weights.bin");
    const mrtk::edit::Edited made = edited("weights.bin", {{"speed", 2}});
    const double end = mrtk::curves::duration_seconds(before);
    CHECK(mrtk::curves::duration_seconds(made.document) == end / 2.0);
    // Halving is exact in floats.
    CHECK(curve_difference(before, made.document, 0.0, end, 0.0, 2.0) < 1e-12);
    const auto back = mrtk::edit::edit(made.document, {{"speed", 0.5}});
    REQUIRE(back.has_value());
    CHECK(back->document == before);
}

TEST_CASE("another version says what it leaves out", "[mrtk-edit]") {
    const mrtk::edit::Edited older = edited("two_hands_v11.bin", {{"version", "1.0"}});
    CHECK(mrtk::file::version_text(older.document) == "1.0");
    CHECK(older.report["version"]["gaze_keys"].get<int>() > 0);
    CHECK(difference(mrtk_document("two_hands_v11.bin"), older.document).position_mm == 0.0);
    const auto again = mrtk::edit::edit(older.document, {{"version", "1.1"}});
    REQUIRE(again.has_value());
    CHECK(again->report["version"]["curved_segments"] == 0);
    CHECK(again->document.simple_keys.size() ==
          older.document.full_keys.size() + older.document.simple_keys.size());

    const mrtk::edit::Edited stepped = edited("steps.bin", {{"version", "1.1"}});
    CHECK(stepped.report["version"]["steps"].get<int>() > 0);
    mrtk::file::Document step;
    step.curves[0].count = 2;
    step.full_keys.resize(2);
    step.full_keys[0].value = RawFloat(1.0F);
    step.full_keys[0].out_tangent = RawFloat(INFINITY);
    step.full_keys[1].time = RawFloat(1.0F);
    step.full_keys[1].value = RawFloat(3.0F);
    const auto lines = mrtk::edit::edit(step, {{"version", "1.1"}});
    REQUIRE(lines.has_value());
    const RawFloat just_before(std::nextafter(1.0F, 0.0F));
    CHECK(lines->document.simple_keys ==
          std::vector<mrtk::file::SimpleKey>{{RawFloat(0.0F), RawFloat(1.0F)},
                                             {just_before, RawFloat(1.0F)},
                                             {RawFloat(1.0F), RawFloat(3.0F)}});
    const mrtk::edit::Edited bent = edited("weights.bin", {{"version", "1.1"}});
    CHECK(bent.report["version"]["curved_segments"].get<int>() > 0);
    CHECK(bent.report["version"]["line_keys"].get<int>() > 0);
    // Chords of whole segments are 25 mm off.
    CHECK(difference(mrtk_document("weights.bin"), bent.document).position_mm < 1.0);
    CHECK(bent.report["version"]["max_position_error_mm"].get<double>() > 0.0);
}

TEST_CASE("a version makes a recording that MRTK reads out of a tolerated layout", "[mrtk-edit]") {
    for (const char* const file :
         {"no_markers_camera.bin", "wide_keys_no_markers.bin", "wide_keys_markers.bin"}) {
        INFO(file);
        const mrtk::edit::Edited made = edited(file, {{"version", "1.0"}});
        CHECK(made.document.layout == mrtk::file::Layout::specified);
        CHECK(mrtk::check::check(made.document, CheckLevel::playback).empty());
    }
}

TEST_CASE("joined recordings play one after the other as they do alone", "[mrtk-edit]") {
    constexpr double gap = 0.5;
    const std::array<mrtk::file::Document, 3> documents = {mrtk_document("two_hands_v11.bin"),
                                                           mrtk_document("hands_come_and_go.bin"),
                                                           mrtk_document("flags_camera_gaze.bin")};
    const std::array<const mrtk::file::Document*, 3> all = {documents.data(), &documents[1], &documents[2]};
    const auto joined = mrtk::edit::join(all, {{"gap_seconds", gap}});
    REQUIRE(joined.has_value());
    const auto again = mrtk::file::read(mrtk::file::write(joined->document), Reading::strict);
    REQUIRE(again.has_value());
    CHECK(*again == joined->document);
    CHECK(mrtk::file::version_text(joined->document) == "1.1");
    const mrtk::play::Player whole(joined->document);
    double start = 0;
    for (const mrtk::file::Document& document : documents) {
        const mrtk::play::Player alone(document);
        const double end = alone.duration_seconds();
        constexpr int samples = 200;
        // Not on the seams, which both recordings have. Times are rounded to floats of a few seconds, 2e-7,
        // and a component moves by less than 20 per second.
        for (int sample = 1; sample < samples; ++sample) {
            const double seconds = end * sample / samples;
            for (std::size_t pose = 0; pose < mrtk::file::pose_count; ++pose) {
                if (alone.exists(pose)) {
                    const mrtk::play::ShownPose a = alone.pose(pose, seconds);
                    const mrtk::play::ShownPose b = whole.pose(pose, start + seconds);
                    CHECK(glm::length(a.position - b.position) < 4e-6);
                    CHECK(angle_between_degrees(a.meant, b.meant) < 1e-3);
                }
            }
        }
        start += end + gap;
    }
    CHECK(std::abs(whole.duration_seconds() - (start - gap)) < 1e-6);
}

TEST_CASE("a single recording is not joined", "[mrtk-edit]") {
    const mrtk::file::Document document = mrtk_document("camera_v10.bin");
    const std::array<const mrtk::file::Document*, 1> one = {&document};
    const auto joined = mrtk::edit::join(one, Json::object());
    REQUIRE_FALSE(joined.has_value());
    CHECK(joined.error().code == ErrorCode::invalid_argument);
}
