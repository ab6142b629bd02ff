// SPDX-License-Identifier: MIT
// Feet: when they stand, how far they slide, and what planting them does.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

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
        CHECK(foot.now.slide_mm_per_second < 1e-6);
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
        CHECK(foot.now.slide_mm_per_second == Approx(60 * 2));  // legs twice as long
    }
}

TEST_CASE("a foot that is lifted or moves fast does not stand", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    Clip clip{body.skeleton, {}, {}, 2.0};
    std::vector<glm::dquat> turns;
    for (int frame = 0; frame <= 60; ++frame) {
        turns.push_back(about({0, 1, 0}, frame > 20 && frame < 41 ? -60 : 0));
    }
    set_keys(clip, joint_at(body, "leftUpperLeg"), turns);
    const rig::retarget::RetargetReport report = retargeted(clip, body, body).report;
    CHECK(report.feet[0].contacts == 2);
    // Next to the jumps, the speed ends the contact: frames 0 to 19 and 42 to 60.
    CHECK(report.feet[0].contact_seconds == Approx((19 + 18) / 30.0));
    CHECK(report.feet[1].contacts == 1);
    CHECK(report.feet[1].contact_seconds == Approx(2.0));
}

namespace {

rig::retarget::Retargeted planted(const Clip& clip, const Body& source, const Body& target,
                                  rig::retarget::RetargetOptions options = {}) {
    options.plant_feet = true;
    return retargeted(clip, source, target, options);
}

/// The toes' places in the frames from first to last.
std::vector<glm::dvec3> toes_in(const Clip& clip, std::size_t toes, std::size_t first, std::size_t last) {
    std::vector<glm::dvec3> places;
    for (std::size_t frame = first; frame <= last; ++frame) {
        places.push_back(placed(clip, static_cast<double>(frame) / 30.0)[toes].translation);
    }
    return places;
}

/// The farthest of some places from the first one.
double spread_of(const std::vector<glm::dvec3>& places) {
    double farthest = 0;
    for (const glm::dvec3& place : places) {
        farthest = std::max(farthest, glm::length(place - places.front()));
    }
    return farthest;
}

/// Moves the body, in the frames after `first`, up by `up` metres within ten frames.
void go_up(Clip& clip, std::size_t first, double up) {
    for (Track& track : clip.tracks) {
        for (std::size_t key = 0; track.channel == Channel::translation && key < track.key_count(); ++key) {
            const double done = (static_cast<double>(key) - static_cast<double>(first)) / 10.0;
            track.values[3 * key + 2] += up * std::clamp(done, 0.0, 1.0);
        }
    }
}

/// A body that stands still on legs that are bent by `degrees` at hip and ankle.
Clip stands(const Body& body, double length, double degrees, std::size_t frames) {
    Clip clip{body.skeleton, {}, {}, static_cast<double>(frames - 1) / 30.0};
    Track path{0, Channel::translation};
    for (std::size_t frame = 0; frame < frames; ++frame) {
        add_row(path, static_cast<double>(frame) / 30.0,
                glm::dvec3(0, 0, 2 * length * std::cos(degrees * std::numbers::pi / 180.0) + 0.1));
    }
    clip.tracks.push_back(path);
    for (const std::string side : {"left", "right"}) {
        set_keys(clip, joint_at(body, side + "UpperLeg"), {frames, about({0, 1, 0}, -degrees)});
        set_keys(clip, joint_at(body, side + "LowerLeg"), {frames, about({0, 1, 0}, 2 * degrees)});
        set_keys(clip, joint_at(body, side + "Foot"), {frames, about({0, 1, 0}, -degrees)});
    }
    return clip;
}

}  // namespace

TEST_CASE("planted feet stay, on legs of other proportions", "[retarget]") {
    const Body source = with_legs(0.4, 0.4);
    const Body target = with_legs(0.55, 0.35);
    const Clip clip = squats(source, 0.4, 91);
    const rig::retarget::Retargeted loose = retargeted(clip, source, target);
    const rig::retarget::Retargeted held = planted(clip, source, target);
    for (const std::size_t foot : {0U, 1U}) {
        const rig::retarget::FootReport& report = held.report.feet[foot];
        CHECK(loose.report.feet[foot].now.slide_mm_per_second > 10.0);
        CHECK(report.unplanted->slide_mm_per_second ==
              Approx(loose.report.feet[foot].now.slide_mm_per_second).epsilon(0.05));
        CHECK(report.now.slide_mm_per_second < 0.01);
        CHECK(report.now.depth_mm.value() < 0.01);
        CHECK(report.now.float_mm.value() < 0.01);
        CHECK(report.knee_change_degrees < 0.1);  // the body goes with its feet
    }
    CHECK(held.report.body_moved_mm > 1.0);
    CHECK(std::ranges::any_of(held.report.slots, [](const auto& slot) { return slot.is_adjusted; }));
    for (const auto& slot : held.report.slots) {
        CHECK((!slot.is_adjusted || slot.slot.find("Leg") != std::string::npos ||
               slot.slot.find("Foot") != std::string::npos || slot.slot.find("Toes") != std::string::npos));
    }
    const std::size_t toes = joint_at(target, "leftToes");
    const std::size_t knee = joint_at(target, "leftLowerLeg");
    CHECK(spread_of(toes_in(held.clip, toes, 0, 90)) < 1e-6);
    for (const double time : key_times(clip)) {
        const auto after = placed(held.clip, time);
        // The knee stays in its plane, and in front; the sole is as flat as it was.
        CHECK(after[knee].translation.y == Approx(0.1).margin(1e-9));
        CHECK(after[knee].translation.x > after[joint_at(target, "leftFoot")].translation.x);
        CHECK(chord(after[joint_at(target, "leftFoot")].rotation, glm::dquat(1, 0, 0, 0)) < 1e-9);
    }
    CHECK(held.report.warnings.empty());
}

TEST_CASE("planting comes and goes without a jump, and only where feet stand", "[retarget]") {
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
    const rig::retarget::Retargeted loose = retargeted(clip, source, target);
    const rig::retarget::Retargeted held = planted(clip, source, target);
    REQUIRE(held.report.feet[0].contacts == 2);
    CHECK(held.report.feet[0].now.slide_mm_per_second < 0.01);
    // From frame to frame, no joint goes or turns much farther than without planting.
    for (std::size_t frame = 0; frame < 90; ++frame) {
        const double now = static_cast<double>(frame) / 30.0;
        const double next = static_cast<double>(frame + 1) / 30.0;
        const std::array<std::vector<Transform>, 4> poses = {placed(loose.clip, now),
                                                             placed(loose.clip, next), placed(held.clip, now),
                                                             placed(held.clip, next)};
        for (std::size_t node = 0; node < poses[0].size(); ++node) {
            const auto step = [&](std::size_t first) {
                return glm::length(poses.at(first + 1)[node].translation - poses.at(first)[node].translation);
            };
            CHECK(step(2) < step(0) + 0.025);
            CHECK(chord(poses[2][node].rotation, poses[3][node].rotation) <
                  chord(poses[0][node].rotation, poses[1][node].rotation) + 0.06);
        }
    }
    // In the air, away from both contacts, nothing is changed.
    const auto a = placed(loose.clip, 45.0 / 30.0);
    const auto b = placed(held.clip, 45.0 / 30.0);
    for (std::size_t node = 0; node < a.size(); ++node) {
        CHECK(glm::length(a[node].translation - b[node].translation) < 1e-9);
    }
}

TEST_CASE("where the legs are too short for planted feet, the body goes down and comes back", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    const Clip clip = squats(body, 0.4, 91);
    rig::retarget::RetargetOptions options;
    options.root_scale = rig::retarget::RootScale{1, 1.15};  // the hips go up farther than the legs reach
    const rig::retarget::Retargeted loose = retargeted(clip, body, body, options);
    const rig::retarget::Retargeted held = planted(clip, body, body, options);
    CHECK(held.report.warnings.empty());
    CHECK(held.report.body_moved_mm > 10.0);
    CHECK(held.report.feet[0].unplanted->depth_mm.value() > 10.0);
    CHECK(held.report.feet[0].unplanted->float_mm.value() > 10.0);
    CHECK(held.report.feet[0].now.depth_mm.value() < 0.01);
    CHECK(held.report.feet[0].now.float_mm.value() < 0.01);
    CHECK(spread_of(toes_in(held.clip, joint_at(body, "leftToes"), 0, 90)) < 1e-6);
    // At the end of the squat the legs are straight; in its middle, they reach by themselves.
    const auto lowered = [&](std::size_t frame) {
        const double time = static_cast<double>(frame) / 30.0;
        return placed(loose.clip, time)[0].translation.z - placed(held.clip, time)[0].translation.z;
    };
    CHECK(lowered(0) > 0.01);
    for (std::size_t frame = 1; frame <= 90; ++frame) {
        CHECK(std::abs(lowered(frame) - lowered(frame - 1)) < 0.012);
    }
}

TEST_CASE("one short leg lowers the body too", "[retarget]") {
    const Body source = with_legs(0.4, 0.4);
    std::vector<BodyJoint> joints = source.joints;
    for (BodyJoint& joint : joints) {
        // The left knee is higher, and so is everything above the left foot: a leg that is 2 cm shorter.
        if (joint.slot == "leftUpperLeg") {
            joint.head.z -= 0.02;
        }
    }
    const Body target = body_of(joints);
    const Clip clip = stands(source, 0.4, 2, 61);
    rig::retarget::RetargetOptions options;
    options.align = false;
    options.root_scale = rig::retarget::RootScale{1, 1};
    const rig::retarget::Retargeted held = planted(clip, source, target, options);
    for (const rig::retarget::FootReport& foot : held.report.feet) {
        CHECK(foot.now.depth_mm.value() < 0.01);
        CHECK(foot.now.float_mm.value() < 0.01);
        CHECK(foot.now.slide_mm_per_second < 0.01);
    }
}

TEST_CASE("a slope or a step is left alone, and said", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    Clip clip = stands(body, 0.4, 20, 91);
    go_up(clip, 40, 0.15);
    const Clip before = retargeted(clip, body, body).clip;
    const rig::retarget::Retargeted result = planted(clip, body, body);
    REQUIRE(!result.report.warnings.empty());
    CHECK_THAT(result.report.warnings.back(), ContainsSubstring("heights that differ by 150 mm"));
    CHECK(!result.report.feet[0].now.depth_mm);
    for (std::size_t frame = 0; frame <= 90; ++frame) {
        const auto a = placed(before, static_cast<double>(frame) / 30.0);
        const auto b = placed(result.clip, static_cast<double>(frame) / 30.0);
        for (std::size_t node = 0; node < a.size(); ++node) {
            CHECK(a[node].translation == b[node].translation);
        }
    }
}

namespace {

/// Goes 0.6 m ahead seven times, in 6 frames each, on a floor that rises by `rise` metres a metre. Between
/// that it stands for 20 frames, and skates by `skates` metres.
Clip goes_up_a_slope(const Body& body, double rise, double skates) {
    Clip clip = stands(body, 0.4, 20, 7 * 26);
    for (std::size_t key = 0; key < clip.tracks.front().key_count(); ++key) {
        const double in_turn = static_cast<double>(key % 26);
        const double ahead = 0.6 * (static_cast<double>(key / 26) + std::max(in_turn - 20.0, 0.0) / 6.0) +
                             skates * std::sin(in_turn * 0.3);
        clip.tracks.front().values[3 * key] += ahead;
        clip.tracks.front().values[3 * key + 2] += rise * ahead;
    }
    return clip;
}

}  // namespace

TEST_CASE("feet are planted on a floor that slopes slightly, as those of recordings do", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    const Clip clip = goes_up_a_slope(body, 0.02, 0.01);  // 72 mm in all
    rig::retarget::RetargetOptions options;
    const rig::retarget::Retargeted held = planted(clip, body, body, options);
    CHECK(held.report.warnings.empty());
    for (const rig::retarget::FootReport& foot : held.report.feet) {
        CHECK(foot.contacts == 7);
        CHECK(foot.unplanted->slide_mm_per_second > 20.0);
        CHECK(foot.now.slide_mm_per_second < 0.01);
        CHECK(foot.now.depth_mm.value() < 0.01);
    }
    const std::size_t toes = joint_at(body, "leftToes");
    for (std::size_t turn = 0; turn < 7; ++turn) {
        const glm::dvec3 place =
            placed(held.clip, static_cast<double>(26 * turn + 10) / 30.0)[toes].translation;
        CHECK(place.z == Approx(0.02 + 0.02 * (place.x - 0.15)).margin(1e-3));
    }
    CHECK(held.report.floor_slope_degrees == Approx(std::atan(0.02) * 180.0 / std::numbers::pi).margin(0.05));
    const auto own = rig::retarget::plant_feet(clip, body.rig);
    REQUIRE(own);
    CHECK_THAT(rig::retarget::describe_planted(rig::retarget::planted_json(*own)),
               ContainsSubstring("a floor that slopes by 1.1 degrees"));
    CHECK(own->feet[0].now.slide_mm_per_second < 0.01);
    // In place, it does not rise.
    options.in_place = true;
    const Clip stays = planted(clip, body, body, options).clip;
    CHECK(placed(stays, 170.0 / 30.0)[0].translation.z ==
          Approx(placed(stays, 10.0 / 30.0)[0].translation.z).margin(1e-3));
    // A slope that somebody walks up is left alone.
    const rig::retarget::Retargeted steep = planted(goes_up_a_slope(body, 0.1, 0.01), body, body);
    REQUIRE(!steep.report.warnings.empty());
    CHECK_THAT(steep.report.warnings.back(), ContainsSubstring("heights that differ by"));
}

TEST_CASE("the ground is where the feet stand, wherever that is", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    Clip clip = stands(body, 0.4, 20, 91);
    go_up(clip, 0, 5.0);  // on the second floor, but for the start
    const rig::retarget::RetargetReport report = retargeted(clip, body, body).report;
    CHECK(report.feet[0].contacts == 1);
    CHECK(report.feet[0].contact_seconds > 2.5);
}

namespace {

/// Stands still on legs of 0.4 and 0.4 m, but for the left foot, which turns by these degrees about a point
/// that is `pivot` away from its ankle: the leg bends so that the point stays.
Clip turns_left_foot(const Body& body, const std::vector<double>& degrees, const glm::dvec3& pivot) {
    Clip clip = stands(body, 0.4, 20, degrees.size());
    std::array<std::vector<glm::dquat>, 3> leg;
    const double height = 0.8 * std::cos(20.0 * std::numbers::pi / 180.0);  // of the hips over the ankles
    for (const double turned : degrees) {
        const glm::dvec3 ankle = pivot - about({0, 1, 0}, turned) * pivot;
        const double ahead = std::atan2(ankle.x, height - ankle.z) * 180.0 / std::numbers::pi;
        const double bent = std::acos(std::hypot(ankle.x, height - ankle.z) / 0.8) * 180.0 / std::numbers::pi;
        leg[0].push_back(about({0, 1, 0}, -ahead - bent));
        leg[1].push_back(about({0, 1, 0}, 2 * bent));
        leg[2].push_back(about({0, 1, 0}, turned + ahead - bent));
    }
    std::erase_if(clip.tracks, [&](const Track& track) {
        return track.node >= joint_at(body, "leftUpperLeg") && track.node < joint_at(body, "rightUpperLeg");
    });
    set_keys(clip, joint_at(body, "leftUpperLeg"), leg[0]);
    set_keys(clip, joint_at(body, "leftLowerLeg"), leg[1]);
    set_keys(clip, joint_at(body, "leftFoot"), leg[2]);
    return clip;
}

/// From frame 45 to 60 the left heel rises by 30 degrees, and the ball stays: it is 0.15 m ahead of the ankle
/// and 0.08 m below. `skates`: how far the body slides back and forth.
Clip rises_on_the_ball(const Body& body, double skates) {
    std::vector<double> degrees;
    for (std::size_t frame = 0; frame < 91; ++frame) {
        degrees.push_back(30.0 * std::clamp((static_cast<double>(frame) - 45.0) / 15.0, 0.0, 1.0));
    }
    Clip clip = turns_left_foot(body, degrees, {0.15, 0, -0.08});
    for (std::size_t key = 0; key < degrees.size(); ++key) {
        clip.tracks.front().values[3 * key] += skates * std::sin(static_cast<double>(key) * 0.2);
    }
    return clip;
}

}  // namespace

TEST_CASE("a foot whose heel rises stands on its ball alone", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    const std::size_t toes = joint_at(body, "leftToes");
    const std::size_t foot = joint_at(body, "leftFoot");
    const Clip good = rises_on_the_ball(body, 0.0);
    CHECK(spread_of(toes_in(good, toes, 0, 90)) < 1e-9);  // the test's own leg
    const auto times = key_times(good);
    CHECK(largest_distance(good, body, planted(good, body, body).clip, body, times) < 1e-6);
    // On a body that skates, the ball is held all the time, and the heel while it is down.
    const Clip skates = rises_on_the_ball(body, 0.01);
    const rig::retarget::Retargeted held = planted(skates, body, body);
    CHECK(spread_of(toes_in(skates, toes, 0, 90)) > 0.009);
    CHECK(spread_of(toes_in(held.clip, toes, 0, 90)) < 1e-6);
    CHECK(spread_of(toes_in(held.clip, foot, 0, 44)) < 1e-6);
    const double pitch = degrees_between(placed(held.clip, 1.0)[foot].rotation * glm::dvec3(1, 0, 0),
                                         placed(held.clip, 3.0)[foot].rotation * glm::dvec3(1, 0, 0));
    CHECK(pitch == Approx(30).margin(2.0));
    // It turns about its ball by what keeps the leg as long as it was.
    const auto leg_at = [&](const Clip& clip, double seconds) {
        const auto world = placed(clip, seconds);
        return glm::length(world[joint_at(body, "leftUpperLeg")].translation - world[foot].translation);
    };
    const double soon = 1.6;  // after the heel rises
    CHECK(std::abs(leg_at(held.clip, soon) - leg_at(skates, soon)) < 1e-9);
    CHECK(leg_at(held.clip, 2.4) == Approx(leg_at(skates, 2.4)).margin(1e-4));
    CHECK(leg_at(held.clip, 3.0) == Approx(leg_at(skates, 3.0)).margin(1e-4));
}

namespace {

/// With toes of 70 mm, whose tips are 10 mm over the floor.
Body with_tips() {
    std::vector<BodyJoint> joints = with_legs(0.4, 0.4).joints;
    for (const double side : {1.0, -1.0}) {
        const std::string s = side > 0 ? "left" : "right";
        const auto toes = std::ranges::find(joints, s + "Toes", &BodyJoint::slot);
        const int parent = static_cast<int>(toes - joints.begin());
        joints.push_back({s + "ToeTip", s + "ToeTip", parent, {0.22, side * 0.1, 0.01}});
    }
    return body_of(joints);
}

/// The clip with the changed tracks.
Clip with_changes(const Clip& clip, const Clip& changed) {
    Clip all = clip;
    for (const Track& track : changed.tracks) {
        std::erase_if(all.tracks, [&](const Track& old) {
            return old.node == track.node && old.channel == track.channel;
        });
        all.tracks.push_back(track);
    }
    return all;
}

/// Moves the path of the body by `metres(key)`.
template <typename Metres>
void move_path(Clip& clip, Metres metres) {
    Track& path = clip.tracks.front();
    REQUIRE(path.channel == Channel::translation);
    for (std::size_t key = 0; key < path.key_count(); ++key) {
        const glm::dvec3 by = metres(static_cast<double>(key));
        for (int axis = 0; axis < 3; ++axis) {
            path.values[3 * key + static_cast<std::size_t>(axis)] += by[axis];
        }
    }
}

}  // namespace

TEST_CASE("toes bend where they would sink into the ground", "[retarget]") {
    const Body body = with_tips();
    const Clip clip = rises_on_the_ball(body, 0.0);
    const rig::retarget::Retargeted held = planted(clip, body, body);
    const std::size_t tip = joint_at(body, "leftToeTip");
    // The toes are one with the foot: they would be 35 mm deep.
    CHECK(held.report.feet[0].unplanted->depth_mm.value() > 30.0);
    CHECK(held.report.feet[0].now.depth_mm.value() < 0.01);
    for (const glm::dvec3& place : toes_in(held.clip, tip, 0, 90)) {
        CHECK(place.z > 0.01 - 1e-4);
    }
    CHECK(spread_of(toes_in(held.clip, joint_at(body, "leftToes"), 0, 90)) < 1e-6);
}

TEST_CASE("a foot that goes far below the ground is on another floor: its toes do not bend", "[retarget]") {
    const Body body = with_tips();
    Clip clip = stands(body, 0.4, 20, 121);
    // It stands for a second, then glides away at a metre a second, 80 mm lower.
    move_path(clip, [](double key) {
        return glm::dvec3(std::max(key - 30.0, 0.0) / 30.0, 0,
                          -0.08 * std::clamp((key - 30.0) / 10.0, 0.0, 1.0));
    });
    const auto made = rig::retarget::plant_feet(clip, body.rig);
    REQUIRE(made);
    const Clip all = with_changes(clip, made->changed);
    const std::size_t foot = joint_at(body, "leftFoot");
    const std::size_t toes = joint_at(body, "leftToes");
    for (std::size_t frame = 0; frame <= 120; ++frame) {
        const double time = static_cast<double>(frame) / 30.0;
        const auto before = placed(clip, time);
        const auto after = placed(all, time);
        const double bend = chord(glm::conjugate(before[foot].rotation) * before[toes].rotation,
                                  glm::conjugate(after[foot].rotation) * after[toes].rotation);
        CHECK(bend < 2.0 * std::sin(15.5 * std::numbers::pi / 180.0));  // 31 degrees
        // The contact ends soon after frame 30, and its fade 5 frames later.
        if (frame > 40) {
            CHECK(bend < 1e-9);
            CHECK(glm::length(after[foot].translation - before[foot].translation) < 0.05);
        }
    }
}

TEST_CASE("toes that tap do not drag a heel that stands", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    // The sole turns by up to 3.5 degrees about the heel, which is 45 mm behind the ankle: the ball goes up
    // and down by 12 mm, five times a second.
    std::vector<double> degrees(91, 0.0);
    for (std::size_t frame = 20; frame < 91; ++frame) {
        degrees[frame] = 1.75 * (std::cos(static_cast<double>(frame - 20) * std::numbers::pi / 3.0) - 1.0);
    }
    const Clip clip = turns_left_foot(body, degrees, {-0.045, 0, -0.08});
    const auto made = rig::retarget::plant_feet(clip, body.rig);
    REQUIRE(made);
    const Clip all = with_changes(clip, made->changed);
    const std::size_t foot = joint_at(body, "leftFoot");
    for (std::size_t frame = 0; frame < 91; ++frame) {
        const double time = static_cast<double>(frame) / 30.0;
        const Transform ankle = placed(all, time)[foot];
        const glm::dvec3 heel = ankle.translation + ankle.rotation * glm::dvec3(-0.045, 0, -0.08);
        CHECK(glm::length(heel - glm::dvec3(-0.045, 0.1, 0.02)) < 3e-3);
    }
    // The sole is not held flat.
    const double tap = degrees_between(placed(all, 56.0 / 30.0)[foot].rotation * glm::dvec3(1, 0, 0),
                                       placed(all, 59.0 / 30.0)[foot].rotation * glm::dvec3(1, 0, 0));
    CHECK(tap > 1.0);
}

TEST_CASE("planted feet keep the seam of a loop", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    const bool has_intro = GENERATE(false, true);
    const double intro = has_intro ? 30.0 : 0.0;
    Clip clip = stands(body, 0.4, 20, has_intro ? 121 : 91);
    // A round of 90 frames skates, and hops in its middle. It may begin after a second.
    move_path(clip, [&](double key) {
        const double turn = std::max(key - intro, 0.0) * std::numbers::pi / 45.0;
        const double up = std::max(-std::cos(turn), 0.0);
        return glm::dvec3(0.01 * std::sin(turn), 0, 0.3 * up * up);
    });
    if (has_intro) {
        clip.markers = {{"loop_in", 1.0}, {"loop_out", 4.0}};
    }
    const auto made = rig::retarget::plant_feet(clip, body.rig);
    REQUIRE(made);
    const Clip all = with_changes(clip, made->changed);
    const std::size_t toes = joint_at(body, "leftToes");
    const auto at = [&](double frame) { return placed(all, (intro + frame) / 30.0)[toes].translation; };
    CHECK(glm::length(placed(clip, (intro + 10.0) / 30.0)[toes].translation -
                      placed(clip, (intro + 80.0) / 30.0)[toes].translation) > 0.01);
    for (const double frame : {3.0, 10.0, 80.0, 87.0, 90.0}) {
        CHECK(glm::length(at(frame) - at(0)) < 1e-6);
    }
    if (has_intro) {
        CHECK(glm::length(at(-1) - at(0)) < 2e-3);
    }
    CHECK(made->feet[0].contacts == 2);
}

TEST_CASE("feet that never move stand, even below a body that sits", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    const Clip clip = stands(body, 0.4, 70, 61);
    const auto made = rig::retarget::plant_feet(clip, body.rig);
    REQUIRE(made);
    CHECK(made->changed.tracks.empty());
    CHECK(made->warnings.empty());
    CHECK(made->feet[0].contacts == 1);
    CHECK(made->feet[0].contact_seconds == Approx(2.0));
    CHECK(rig::retarget::describe_planted(rig::retarget::planted_json(*made)) ==
          "The feet stand still already\n");
}

TEST_CASE("if no foot stands, the reason is said", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    Clip sits = stands(body, 0.4, 70, 61);
    move_path(sits, [](double key) { return glm::dvec3(0.002 * key, 0, 0); });
    const auto low = rig::retarget::plant_feet(sits, body.rig);
    REQUIRE(low);
    REQUIRE(low->warnings.size() == 1);
    CHECK_THAT(low->warnings.front(), ContainsSubstring("only while the body sits, kneels or lies"));
    Clip glides = stands(body, 0.4, 20, 61);
    move_path(glides, [](double key) { return glm::dvec3(0.1 * key, 0, 0); });
    const auto fast = rig::retarget::plant_feet(glides, body.rig);
    REQUIRE(fast);
    REQUIRE(fast->warnings.size() == 1);
    CHECK_THAT(fast->warnings.front(), ContainsSubstring("move all the time"));
}

TEST_CASE("the noise of a recording is not taken for motion", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    Clip clip{body.skeleton, {}, {}, 2.0};
    std::mt19937 random(7);
    std::normal_distribution<double> noise(0.0, 0.01);
    Track path{0, Channel::translation};
    for (int frame = 0; frame <= 120; ++frame) {
        add_row(path, frame / 60.0, glm::dvec3(noise(random), noise(random), 0.88 + 0.3 * noise(random)));
    }
    clip.tracks.push_back(path);
    const rig::retarget::RetargetReport report = planted(clip, body, body).report;
    for (const rig::retarget::FootReport& foot : report.feet) {
        CHECK(foot.contact_seconds > 1.5);
        CHECK(foot.unplanted->slide_mm_per_second > 500.0);
        CHECK(foot.now.slide_mm_per_second < 0.01);
    }
}

TEST_CASE("legs without keys below a first frame that is a pose stay", "[retarget]") {
    const Body body = body_of(person());
    Clip clip{body.skeleton, {}, {}, 1.0};
    for (const char* const slot :
         {"leftUpperArm", "rightUpperArm", "leftLowerArm", "rightLowerArm", "spine"}) {
        std::vector<glm::dquat> turns{glm::dquat(1, 0, 0, 0)};
        for (int frame = 1; frame <= 30; ++frame) {
            turns.push_back(about({1, 0, 0}, 60.0 + 0.1 * frame));
        }
        turn_joint(clip, joint_at(body, slot), turns);
    }
    REQUIRE(rig::retarget::odd_first_frame(clip, body.rig));
    const auto made = rig::retarget::plant_feet(clip, body.rig);
    REQUIRE(made.has_value());
    CHECK(made->changed.tracks.empty());
}

TEST_CASE("planting where feet stand well changes nothing that is seen", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    const Clip clip = squats(body, 0.4, 91);
    const auto times = key_times(clip);
    const Clip held = planted(clip, body, body).clip;
    CHECK(largest_distance(retargeted(clip, body, body).clip, body, held, body, times) < 1e-9);
}

TEST_CASE("a straight leg that is in the air goes with a body that is moved, and keeps its knee",
          "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    Clip clip = stands(body, 0.4, 1.0, 91);
    // The right leg points 30 degrees ahead in the air; for the second half, the floor is 20 mm lower.
    for (Track& track : clip.tracks) {
        for (std::size_t key = 0; key < track.key_count(); ++key) {
            const double after = std::clamp((static_cast<double>(key) - 40.0) / 10.0, 0.0, 1.0);
            if (track.channel == Channel::translation) {
                track.values[3 * key + 2] -= 0.02 * after;
            } else if (track.node == joint_at(body, "rightUpperLeg")) {
                const glm::dquat turn = about({0, 1, 0}, -31);
                std::ranges::copy(std::array{turn.w, turn.x, turn.y, turn.z},
                                  track.values.begin() + static_cast<std::ptrdiff_t>(4 * key));
            }
        }
    }
    const auto made = rig::retarget::plant_feet(clip, body.rig);
    REQUIRE(made);
    CHECK(made->feet[0].unplanted->depth_mm.value() + made->feet[0].unplanted->float_mm.value() > 19.0);
    CHECK(made->feet[0].now.depth_mm.value() < 0.01);
    CHECK(made->feet[0].now.float_mm.value() < 0.01);
    for (const rig::retarget::FootReport& foot : made->feet) {
        CHECK(foot.knee_change_degrees < 3.0);
    }
}

TEST_CASE("a straight leg that lands in the ground keeps its knee", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    Clip clip = stands(body, 0.4, 1.0, 91);
    // The right leg stands, then points 40 degrees ahead, and in the last frames 15; its toes then point
    // down.
    for (Track& track : clip.tracks) {
        const bool is_thigh = track.node == joint_at(body, "rightUpperLeg");
        if (!is_thigh && track.node != joint_at(body, "rightFoot")) {
            continue;
        }
        for (std::size_t key = 0; key < track.key_count(); ++key) {
            const double lifted = std::clamp((static_cast<double>(key) - 45.0) / 15.0, 0.0, 1.0);
            const double landed = std::clamp((static_cast<double>(key) - 85.0) / 5.0, 0.0, 1.0);
            const glm::dquat turn = about({0, 1, 0}, is_thigh ? -1.0 - 40.0 * lifted + 25.0 * landed
                                                              : -1.0 + 40.0 * lifted - 8.0 * landed);
            std::ranges::copy(std::array{turn.w, turn.x, turn.y, turn.z},
                              track.values.begin() + static_cast<std::ptrdiff_t>(4 * key));
        }
    }
    const auto made = rig::retarget::plant_feet(clip, body.rig);
    REQUIRE(made);
    const Clip all = with_changes(clip, made->changed);
    const std::size_t toes = joint_at(body, "rightToes");
    const auto knee_in = [&](const Clip& of) {
        return placed(of, 3.0)[joint_at(body, "rightLowerLeg")].translation;
    };
    CHECK(placed(clip, 3.0)[toes].translation.z < 0.015);
    CHECK(placed(all, 3.0)[toes].translation.z > 0.02 - 1e-6);
    CHECK(glm::length(knee_in(all) - knee_in(clip)) < 0.02);
}

TEST_CASE("feet are planted on the way of a body that stays in place", "[retarget]") {
    const Body source = with_legs(0.4, 0.4);
    const Body target = with_legs(0.55, 0.35);
    const Clip clip = squats(source, 0.4, 91);
    rig::retarget::RetargetOptions options;
    options.in_place = true;
    const rig::retarget::RetargetReport report = planted(clip, source, target, options).report;
    CHECK(report.feet[0].now.slide_mm_per_second < 0.01);
    CHECK(report.body->path_difference_mm < 100.0);
}

TEST_CASE("a clip's own feet are planted, and no other track is touched", "[retarget]") {
    const Body body = with_legs(0.4, 0.4);
    Clip clip = squats(body, 0.4, 91);
    for (Track& track : clip.tracks) {
        for (std::size_t key = 0; track.channel == Channel::translation && key < track.key_count(); ++key) {
            track.values[3 * key] += 0.01 * std::sin(static_cast<double>(key) * 0.2);  // it skates
        }
    }
    const auto made = rig::retarget::plant_feet(clip, body.rig);
    REQUIRE(made);
    for (const rig::retarget::FootReport& foot : made->feet) {
        CHECK(foot.unplanted->slide_mm_per_second > 20.0);
        CHECK(foot.now.slide_mm_per_second < 0.01);
        CHECK(foot.now.depth_mm.value() < 0.01);
    }
    const Clip all = with_changes(clip, made->changed);
    CHECK(all.tracks.size() == clip.tracks.size());
    // The feet are at their height, below the hips: 20 mm beside them, a leg of 0.4 m is longer by 0.5 mm.
    CHECK(made->body_moved_mm < 0.5);
    CHECK(spread_of(toes_in(all, joint_at(body, "leftToes"), 0, 90)) < 1e-6);
    const Json report = rig::retarget::planted_json(*made);
    CHECK(report.at("joints").size() == made->changed.tracks.size());
    CHECK_THAT(rig::retarget::describe_planted(report),
               ContainsSubstring("Planted, they sink up to 0 mm into the ground (before: "));
}

TEST_CASE("a skeleton without a leg has no feet to plant", "[retarget]") {
    const Body body = body_of({{"hips", "hips", -1, {0, 0, 1}}});
    const auto made = rig::retarget::plant_feet(still(body), body.rig);
    REQUIRE(!made);
    CHECK(made.error().code == ErrorCode::rejected);
}
