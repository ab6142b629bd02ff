// SPDX-License-Identifier: MIT
// Measures how far two animations differ: distances and angles computed by hand.
#include "allocations.h"
#include "build.h"
#include "catch.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/clip/clip.h"
#include "formats/sl_anim/play/play.h"
#include "formats/sl_anim/reduce/reduce.h"

using namespace animbridge;
using namespace animbridge::test;
using sl_anim::file::Document;
using sl_anim::play::compare;

namespace {

JointDifference of(const Comparison& comparison, std::string_view joint) {
    for (const JointDifference& one : comparison.joints) {
        if (one.joint == joint) {
            return one;
        }
    }
    return {};
}

}  // namespace

TEST_CASE("a file does not differ from itself", "[compare]") {
    const Document document = document_with_middle(2.0F);
    const auto comparison = compare(document, document, Job()).value();
    CHECK(comparison.worst().position_mm == 0.0);
    CHECK(comparison.worst().rotation_degrees == 0.0);
    CHECK(comparison.only_in_a.empty());
    CHECK(comparison.only_in_b.empty());
    CHECK(comparison.times == 7);  // 4 keys and 3 midpoints; the time 0 is one of the keys
}

TEST_CASE("a moved pelvis moves everything as far", "[compare]") {
    const Document a = document(1.0F, {joint("mPelvis", {}, {position_key(0, 0, 0, 0)})});
    const Document b = document(1.0F, {joint("mPelvis", {}, {position_key(0, 0.3, 0.4, 0)})});
    const auto comparison = compare(a, b, Job()).value();
    CHECK(of(comparison, "mPelvis").position_mm == Approx(500.0).margin(0.3));
    CHECK(of(comparison, "mHead").position_mm == Approx(500.0).margin(0.3));
    CHECK(of(comparison, "mPelvis").rotation_degrees == 0.0);
}

TEST_CASE("a turned joint differs by its angle, what hangs on it only in place", "[compare]") {
    const double half = 30.0 * std::acos(-1.0) / 360.0;
    const Document a = document(1.0F, {joint("mElbowLeft", {rotation_key(0, 0, 0, 0)})});
    const Document b = document(1.0F, {joint("mElbowLeft", {rotation_key(0, 0, 0, std::sin(half))})});
    const auto comparison = compare(a, b, Job()).value();
    CHECK(of(comparison, "mElbowLeft").rotation_degrees == Approx(30.0).margin(0.01));
    CHECK(of(comparison, "mElbowLeft").position_mm == 0.0);
    CHECK(of(comparison, "mWristLeft").rotation_degrees == Approx(0.0).margin(1e-5));
    // The wrist swings on a circle: chord = 2 r sin(15 degrees).
    const glm::dvec3 r =
        sl_anim::avatar::skeleton()[*sl_anim::avatar::find_joint("mWristLeft")].node.rest_local.translation;
    CHECK(of(comparison, "mWristLeft").position_mm ==
          Approx(1000.0 * 2.0 * std::hypot(r.x, r.y) * std::sin(half)).margin(0.1));
    CHECK(comparison.worst().rotation_degrees == Approx(30.0).margin(0.01));
}

TEST_CASE("the time of the worst difference is told", "[compare]") {
    // Both are still, except for b's excursion half-way.
    const Document a = document(2.0F, {joint("mHead", {rotation_key(0, 0, 0, 0)})});
    const Document b = document(
        2.0F,
        {joint("mHead", {rotation_key(0, 0, 0, 0), rotation_key(0.5, 0, 0, 0.5), rotation_key(1, 0, 0, 0)})});
    const auto worst = of(compare(a, b, Job()).value(), "mHead");
    CHECK(worst.rotation_degrees == Approx(60.0).margin(0.01));
    CHECK(worst.rotation_at_seconds == Approx(1.0).margin(1e-3));
}

TEST_CASE("joints of one file only are named", "[compare]") {
    const Document a = document(
        1.0F, {joint("hip", {rotation_key(0, 0, 0, 0)}), joint("mHead", {rotation_key(0, 0, 0, 0)})});
    const Document b = document(
        1.0F, {joint("mPelvis", {rotation_key(0, 0, 0, 0)}), joint("nobody", {rotation_key(0, 0, 0, 0)})});
    const auto comparison = compare(a, b, Job()).value();
    CHECK(comparison.only_in_a == std::vector<std::string>{"mHead"});
    CHECK(comparison.only_in_b == std::vector<std::string>{"nobody"});
}

TEST_CASE("comparing can be stopped", "[compare]") {
    const Document document = document_with_middle(2.0F);
    int calls = 0;
    double last = -1;
    const auto comparison = compare(document, document, Job([&](double fraction) {
                                        CHECK(fraction >= last);
                                        CHECK(fraction <= 1.0);
                                        last = fraction;
                                        return ++calls < 3;
                                    }));
    REQUIRE_FALSE(comparison.has_value());
    CHECK(comparison.error().code == ErrorCode::cancelled);
    CHECK(calls == 3);
}

TEST_CASE("what was encoded is measured against what was wanted", "[compare]") {
    const Document wanted =
        document(1.0F, {joint("mHead", {rotation_key(0, 0, 0, 0), rotation_key(1, 0, 0, 0.5)})});
    const Clip clip = sl_anim::clip::to_clip(wanted).value();
    const auto same = sl_anim::play::measure(clip, wanted, Job()).value().worst;
    CHECK(same.rotation_degrees < 0.01);
    CHECK(same.position_mm < 0.01);
    // The same, but with 90 instead of 60 degrees at the end.
    const Document written =
        document(1.0F, {joint("mHead", {rotation_key(0, 0, 0, 0), rotation_key(1, 0, 0, std::sqrt(0.5))})});
    const auto off = sl_anim::play::measure(clip, written, Job()).value().worst;
    CHECK(off.rotation_degrees == Approx(30.0).margin(0.01));
    CHECK(off.rotation_at_seconds == Approx(1.0));
    CHECK(off.rotation_joint == "mHead");
}

TEST_CASE("what hangs on the file's joints is measured, too", "[compare]") {
    const Document wanted = document(1.0F, {joint("mWristLeft", {rotation_key(0, 0, 0, 0)})});
    const double half = 30.0 * std::acos(-1.0) / 360.0;
    const Document written = document(1.0F, {joint("mWristLeft", {rotation_key(0, 0, 0, std::sin(half))})});
    const auto measured =
        sl_anim::play::measure(sl_anim::clip::to_clip(wanted).value(), written, Job()).value();
    // The middle finger's end is farthest from the wrist: it swings on a circle, chord = 2 r sin(15 degrees).
    glm::dvec3 away(0);
    for (const char* name : {"mHandMiddle1Left", "mHandMiddle2Left", "mHandMiddle3Left"}) {
        away += sl_anim::avatar::skeleton()[*sl_anim::avatar::find_joint(name)].node.rest_local.translation;
    }
    const double swing_mm = 1000.0 * 2.0 * std::hypot(away.x, away.y) * std::sin(half);
    CHECK(measured.worst.position_mm == Approx(swing_mm).margin(0.1));
    CHECK(measured.worst.joint == "mHandMiddle3Left");
    CHECK(measured.at_held_times.position_mm == Approx(swing_mm).margin(0.1));
}

TEST_CASE("wings, a tail, hind limbs and a groin count where the file moves them", "[compare]") {
    const auto turned = [](double z) {
        return document(1.0F, {joint("mPelvis", {rotation_key(0, 0, 0, z)})});
    };
    const auto still = compare(turned(0), turned(0.1), Job()).value();
    for (const char* name : {"mWingsRoot", "mWing4Left", "Left Wing", "mTail6", "Tail Tip", "mGroin",
                             "mHindLimb4Left", "Left Hind Foot"}) {
        INFO(name);
        CHECK(of(still, name).joint.empty());
    }
    CHECK(of(still, "mHandMiddle3Left").position_mm > 0.0);
    Document a = turned(0);
    Document b = turned(0.1);
    for (Document* const file : {&a, &b}) {
        file->joints.push_back(joint("mWing2Left", {rotation_key(0, 0, 0, 0)}));
    }
    const auto flying = compare(a, b, Job()).value();
    CHECK(of(flying, "mWing2Left").position_mm > 0.0);
    CHECK(of(flying, "Left Wing").position_mm > of(flying, "mWing2Left").position_mm);
    CHECK(of(flying, "mWing1Left").joint.empty());
    CHECK(of(flying, "mWing4Right").joint.empty());
}

TEST_CASE("what is done for each file does not copy the avatar", "[compare]") {
    const Document moving = document_with_middle(2.0F);
    const Clip clip = sl_anim::clip::to_clip(moving).value();
    const auto allocations_of = [](auto&& work) {
        work();  // builds what is built once
        const Allocations counted;
        work();
        return Allocations::count();
    };
    // A copy of the skeleton takes more than one allocation for each of its 214 joints.
    CHECK(allocations_of([&] { return sl_anim::play::Player(moving).joints().size(); }) < 30);
    CHECK(allocations_of(
              [&] { return sl_anim::play::measure(clip, moving, Job()).value().worst.position_mm; }) < 100);
    CHECK(allocations_of(
              [&] { return sl_anim::reduce::Reducer({moving}).within({}, Job()).value().keys_after; }) < 200);
}
