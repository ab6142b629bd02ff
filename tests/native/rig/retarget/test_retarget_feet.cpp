// SPDX-License-Identifier: MIT
// Feet: when they stand, how far they slide, and what pinning them does.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "catch.h"
#include "retarget_support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// A body whose thigh and shin are `thigh` and `shin` metres long, straight above each other.
Body with_legs(double thigh, double shin, double wide = 0.1) {
    std::vector<BodyJoint> joints{{"hips", "hips", -1, {0, 0, thigh + shin + 0.1}}};
    for (const double side : {1.0, -1.0}) {
        const std::string s = side > 0 ? "left" : "right";
        const int top = static_cast<int>(joints.size());
        joints.push_back({s + "UpperLeg", s + "UpperLeg", 0, {0, side * wide, thigh + shin + 0.1}});
        joints.push_back({s + "LowerLeg", s + "LowerLeg", top, {0.0, side * wide, shin + 0.1}});
        joints.push_back({s + "Foot", s + "Foot", top + 1, {0, side * wide, 0.1}});
        joints.push_back({s + "Toes", s + "Toes", top + 2, {0.15, side * wide, 0.02}});
    }
    return body_of(joints);
}

void set_keys(Clip& clip, std::size_t node, const std::vector<glm::dquat>& turns) {
    Track track{node, Channel::rotation};
    for (std::size_t key = 0; key < turns.size(); ++key) {
        add_row(track, static_cast<double>(key) / 30.0, turns[key]);
    }
    clip.tracks.push_back(track);
}

/// Squats and rises: thigh and shin have the same length, so that ankles stay in place.
Clip squats(const Body& body, double length, std::size_t frames) {
    Clip clip{body.skeleton, {}, {}, static_cast<double>(frames - 1) / 30.0};
    std::vector<glm::dquat> thighs;
    std::vector<glm::dquat> shins;
    std::vector<glm::dquat> feet;
    Track path{0, Channel::translation};
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const double degrees = 35.0 - 25.0 * std::cos(static_cast<double>(frame) * 0.08);
        // A thigh that swings forward turns about -Y.
        thighs.push_back(about({0, 1, 0}, -degrees));
        shins.push_back(about({0, 1, 0}, 2 * degrees));
        feet.push_back(about({0, 1, 0}, -degrees));
        const double height = 2 * length * std::cos(degrees * std::numbers::pi / 180.0) + 0.1;
        add_row(path, static_cast<double>(frame) / 30.0, glm::dvec3(0, 0, height));
    }
    clip.tracks.push_back(path);
    for (const std::string side : {"left", "right"}) {
        set_keys(clip, joint_at(body, side + "UpperLeg"), thighs);
        set_keys(clip, joint_at(body, side + "LowerLeg"), shins);
        set_keys(clip, joint_at(body, side + "Foot"), feet);
    }
    return clip;
}

}  // namespace

TEST_CASE("feet that stand in the source are reported as such, and do not slide on the same body",
          "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    const Clip clip = squats(body, 0.4, 91);
    const rig::retarget::Retargeted result = retargeted(clip, body, body);
    REQUIRE(result.report.feet.size() == 2);
    for (const rig::retarget::FootReport& foot : result.report.feet) {
        CHECK(foot.contacts == 1);
        CHECK(foot.contact_seconds == Approx(3.0));
        CHECK(foot.source_slide_mm_per_second < 1e-6);
        CHECK(foot.slide_mm_per_second < 1e-6);
    }
}

TEST_CASE("a slide is the horizontal path of the toes while they stand", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    Clip clip{body.skeleton, {}, {}, 1.0};
    Track path{0, Channel::translation};
    for (int frame = 0; frame <= 30; ++frame) {
        add_row(path, frame / 30.0, glm::dvec3(0.06 * frame / 30.0, 0, 0.9));  // 60 mm a second
    }
    clip.tracks.push_back(path);
    const rig::retarget::RetargetReport report = retargeted(clip, body, with_legs(0.8, 0.8)).report;
    for (const rig::retarget::FootReport& foot : report.feet) {
        CHECK(foot.source_slide_mm_per_second == Approx(60));
        CHECK(foot.slide_mm_per_second == Approx(60 * 2));  // legs twice as long
    }
}

TEST_CASE("a foot that is lifted or moves fast does not stand", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    Clip clip{body.skeleton, {}, {}, 2.0};
    Track path{0, Channel::translation};
    for (int frame = 0; frame <= 60; ++frame) {
        const bool is_up = frame > 20 && frame < 41;
        add_row(path, frame / 30.0, glm::dvec3(0, 0, is_up ? 1.1 : 0.9));
    }
    clip.tracks.push_back(path);
    const rig::retarget::RetargetReport report = retargeted(clip, body, body).report;
    for (const rig::retarget::FootReport& foot : report.feet) {
        CHECK(foot.contacts == 2);
        // Next to the jumps, the speed ends the contact: frames 0 to 19 and 42 to 60.
        CHECK(foot.contact_seconds == Approx((19 + 18) / 30.0));
    }
}

TEST_CASE("pinned feet stay, on legs of other proportions", "[retarget]") {
    const Body source = with_legs(0.4, 0.4);
    const Body target = with_legs(0.55, 0.35);
    const Clip clip = squats(source, 0.4, 91);
    rig::retarget::RetargetOptions options;
    const rig::retarget::Retargeted loose = retargeted(clip, source, target, options);
    options.pin_feet = true;
    const rig::retarget::Retargeted pinned = retargeted(clip, source, target, options);
    const auto times = key_times(clip);
    for (const std::size_t foot : {0U, 1U}) {
        CHECK(loose.report.feet[foot].slide_mm_per_second > 10.0);
        CHECK(pinned.report.feet[foot].unpinned_slide_mm_per_second ==
              Approx(loose.report.feet[foot].slide_mm_per_second));
        CHECK(pinned.report.feet[foot].slide_mm_per_second < 0.01);
    }
    const std::size_t toes = joint_at(target, "leftToes");
    const std::size_t ankle = joint_at(target, "leftFoot");
    const std::size_t knee = joint_at(target, "leftLowerLeg");
    const glm::dvec3 place = placed(pinned.clip, 0)[toes].translation;
    for (const double time : times) {
        const auto before = placed(loose.clip, time);
        const auto after = placed(pinned.clip, time);
        CHECK(glm::length(after[toes].translation - place) < 1e-6);
        CHECK(chord(before[ankle].rotation, after[ankle].rotation) < 1e-9);
        // The knee stays in its plane, and in front.
        CHECK(after[knee].translation.y == Approx(0.1).margin(1e-9));
        CHECK(after[knee].translation.x > after[ankle].translation.x);
        CHECK(glm::length(before[0].translation - after[0].translation) < 1e-12);
    }
    CHECK(pinned.report.warnings.empty());
}

TEST_CASE("what is pinned comes and goes without a jump", "[retarget]") {
    const Body source = with_legs(0.4, 0.4);
    const Body target = with_legs(0.55, 0.35);
    Clip clip = squats(source, 0.4, 91);
    // The body leaves the floor in the middle.
    for (Track& track : clip.tracks) {
        for (std::size_t key = 30; track.channel == Channel::translation && key < 61; ++key) {
            const double up = std::sin((static_cast<double>(key) - 30.0) / 30.0 * std::numbers::pi);
            track.values[3 * key + 2] += 0.5 * up * up;
        }
    }
    rig::retarget::RetargetOptions options;
    const rig::retarget::Retargeted loose = retargeted(clip, source, target, options);
    options.pin_feet = true;
    const rig::retarget::Retargeted pinned = retargeted(clip, source, target, options);
    REQUIRE(pinned.report.feet[0].contacts == 2);
    CHECK(pinned.report.feet[0].slide_mm_per_second < 0.01);
    const auto step_at = [&](const rig::retarget::Retargeted& result, std::size_t frame) {
        const auto a = placed(result.clip, static_cast<double>(frame) / 30.0);
        const auto b = placed(result.clip, static_cast<double>(frame + 1) / 30.0);
        const std::size_t knee = joint_at(target, "leftLowerLeg");
        return degrees_between(a[knee].rotation * glm::dvec3(0, 0, 1),
                               b[knee].rotation * glm::dvec3(0, 0, 1));
    };
    for (std::size_t frame = 0; frame < 90; ++frame) {
        CHECK(step_at(pinned, frame) < step_at(loose, frame) + 6.0);
    }
    // In the air, away from both contacts, nothing is changed.
    const auto a = placed(loose.clip, 45.0 / 30.0);
    const auto b = placed(pinned.clip, 45.0 / 30.0);
    for (std::size_t node = 0; node < a.size(); ++node) {
        CHECK(glm::length(a[node].translation - b[node].translation) < 1e-9);
    }
}

TEST_CASE("a leg that is too short to reach says so", "[retarget]") {
    const Body source = with_legs(0.4, 0.4);
    const Body target = with_legs(0.4, 0.4);
    Clip clip = squats(source, 0.4, 91);
    for (Track& track : clip.tracks) {
        for (std::size_t key = 0; track.channel == Channel::translation && key < track.key_count(); ++key) {
            track.values[3 * key] += 0.0022 * static_cast<double>(key);  // it slides slowly, for 0.2 m
        }
    }
    rig::retarget::RetargetOptions options;
    options.pin_feet = true;
    options.root_scale = rig::retarget::RootScale{6, 1};
    const rig::retarget::Retargeted result = retargeted(clip, source, target, options);
    REQUIRE(!result.report.warnings.empty());
    CHECK_THAT(result.report.warnings.back(), ContainsSubstring("leg is too short"));
    CHECK(result.report.feet[0].slide_mm_per_second > 1.0);
}
