// SPDX-License-Identifier: MIT
// Hands that touch each other, the head, the hips or the thighs, on bodies of other proportions.
#include <algorithm>
#include <cmath>

#include "catch.h"
#include "retarget_support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

constexpr std::size_t frames = 61;

/// From 0 to 1 and back, twice.
double swing(std::size_t frame) { return 0.5 - 0.5 * std::cos(static_cast<double>(frame) * 0.2094395); }

/// How both arms turn, in degrees, mirrored for the right one.
struct Arms {
    double raise = 0;  ///< of the upper arm
    double upper = 0;  ///< of the upper arm, forward
    double lower_open = 0;
    double lower_closed = 0;
    bool folds_up = false;  ///< the lower arm; else it folds forward
};

Clip moving_arms(const Body& body, const Arms& arms) {
    Clip clip{body.skeleton, {}, {}, static_cast<double>(frames - 1) / 30.0};
    for (const double side : {1.0, -1.0}) {
        const std::string s = side > 0 ? "left" : "right";
        std::vector<glm::dquat> upper;
        std::vector<glm::dquat> lower;
        for (std::size_t frame = 0; frame < frames; ++frame) {
            const double now = arms.lower_open + (arms.lower_closed - arms.lower_open) * swing(frame);
            upper.push_back(about({1, 0, 0}, side * arms.raise) * about({0, 0, 1}, -side * arms.upper));
            lower.push_back(arms.folds_up ? about({1, 0, 0}, side * now) : about({0, 0, 1}, -side * now));
        }
        turn_joint(clip, joint_at(body, s + "UpperArm"), upper);
        turn_joint(clip, joint_at(body, s + "LowerArm"), lower);
    }
    return clip;
}

const Arms clapping{.upper = 80, .lower_open = 10, .lower_closed = 55};
const Arms hands_on_head{.raise = 62, .lower_open = 60, .lower_closed = 118, .folds_up = true};

/// The middle of a palm: half way to the knuckles.
glm::dvec3 palm(const Body& body, const std::vector<Transform>& world, const std::string& side) {
    const glm::dvec3 wrist = world[joint_at(body, side + "Hand")].translation;
    glm::dvec3 knuckles(0);
    for (const char* finger : {"IndexProximal", "MiddleProximal", "LittleProximal"}) {
        knuckles += (world[joint_at(body, side + finger)].translation - wrist) / 3.0;
    }
    return wrist + 0.5 * knuckles;
}

rig::retarget::RetargetOptions keeping() {
    rig::retarget::RetargetOptions options;
    options.keep_touch = true;
    return options;
}

/// From the right palm to the left.
glm::dvec3 between_palms(const Body& body, const Clip& clip, double time) {
    const auto world = placed(clip, time);
    return palm(body, world, "left") - palm(body, world, "right");
}

}  // namespace

TEST_CASE("hands that clap meet on arms of another length", "[retarget]") {
    std::mt19937 random(5);
    const Body source = body_of(person());
    const Clip clip = moving_arms(source, clapping);
    for (const double arm_size : {0.8, 0.9, 1.15}) {
        auto joints = person(30, 1.1, arm_size);
        roll_at_random(joints, random);
        const Body target = body_of(joints);
        const auto loose = retargeted(clip, source, target);
        const auto kept = retargeted(clip, source, target, keeping());
        double farthest_loose = 0;
        for (std::size_t frame = 0; frame < frames; ++frame) {
            const double time = static_cast<double>(frame) / 30.0;
            const glm::dvec3 meant = between_palms(source, clip, time) * (1.1 * arm_size);
            if (glm::length(between_palms(source, clip, time)) < 0.16 * 0.53) {
                CHECK(glm::length(between_palms(target, kept.clip, time) - meant) < 0.002);
                farthest_loose =
                    std::max(farthest_loose, glm::length(between_palms(target, loose.clip, time) - meant));
            }
            // Hands keep their rotations, and apart from them nothing moves but the arms.
            const auto before = placed(loose.clip, time);
            const auto after = placed(kept.clip, time);
            for (const std::string slot : {"leftHand", "rightHand", "head", "hips", "leftFoot"}) {
                const std::size_t joint = joint_at(target, slot);
                CHECK(chord(before[joint].rotation, after[joint].rotation) < 1e-6);
            }
        }
        CHECK(farthest_loose > 0.02);
        REQUIRE(kept.report.touches.size() == 2);
        CHECK(kept.report.touches[0].touched == "rightHand");
        CHECK(kept.report.touches[0].seconds > 0.1);
        CHECK(kept.report.touches[0].apart_mm < 2);
        CHECK(kept.report.touches[0].apart_before_mm > 10);
    }
}

TEST_CASE("hands on the head stay there on a body with a larger head and longer arms", "[retarget]") {
    const Body source = body_of(person());
    const Clip clip = moving_arms(source, hands_on_head);
    const Body target = body_of(person(0, 1, 1.3));
    const auto loose = retargeted(clip, source, target);
    const auto kept = retargeted(clip, source, target, keeping());
    std::size_t touching = 0;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const double time = static_cast<double>(frame) / 30.0;
        const auto meant = placed(clip, time);
        const auto now = placed(kept.clip, time);
        for (const std::string side : {"left", "right"}) {
            const glm::dvec3 from_head =
                palm(source, meant, side) - meant[joint_at(source, "head")].translation;
            if (glm::length(from_head - glm::dvec3(0, 0, 0.09)) < 0.15) {
                const glm::dvec3 found = palm(target, now, side) - now[joint_at(target, "head")].translation;
                CHECK(glm::length(found - from_head) < 0.01);
                ++touching;
            }
        }
    }
    CHECK(touching > 10);
    CHECK(
        std::ranges::any_of(kept.report.touches, [](const auto& touch) { return touch.touched == "head"; }));
}

TEST_CASE("hands come and go without a jump", "[retarget]") {
    const Body source = body_of(person());
    const Body target = body_of(person(0, 1, 1.2));
    for (const Arms& arms : {clapping, hands_on_head}) {
        const Clip clip = moving_arms(source, arms);
        const auto loose = retargeted(clip, source, target);
        const auto kept = retargeted(clip, source, target, keeping());
        glm::dvec3 last(0);
        double largest = 0;
        for (std::size_t frame = 0; frame < frames; ++frame) {
            const double time = static_cast<double>(frame) / 30.0;
            const std::size_t hand = joint_at(target, "leftHand");
            const glm::dvec3 moved =
                placed(kept.clip, time)[hand].translation - placed(loose.clip, time)[hand].translation;
            largest = std::max(largest, frame > 0 ? glm::length(moved - last) : 0.0);
            last = moved;
        }
        CHECK(largest < 0.03);  // metres in a frame; the hand itself moves as fast
    }
}

TEST_CASE("arms that hang keep their motion, and so does a body of equal proportions", "[retarget]") {
    const Body source = body_of(person());
    const Clip hanging = moving_arms(source, {.raise = -75, .lower_open = 5, .lower_closed = 10});
    const Body longer = body_of(person(0, 1, 1.25));
    const auto loose = retargeted(hanging, source, longer);
    const auto kept = retargeted(hanging, source, longer, keeping());
    CHECK(kept.report.touches.empty());
    CHECK(largest_distance(loose.clip, longer, kept.clip, longer, key_times(hanging)) < 1e-9);

    const Clip clap = moving_arms(source, clapping);
    const Body twice = body_of(person(0, 2));
    const auto same = retargeted(clap, source, twice, keeping());
    CHECK(largest_distance(retargeted(clap, source, twice).clip, twice, same.clip, twice, key_times(clap)) <
          1e-6);
}

TEST_CASE("hands that come near and do not touch keep their motion", "[retarget]") {
    const Body source = body_of(person());
    const Clip clip = moving_arms(source, {.upper = 80, .lower_open = 10, .lower_closed = 42});
    double nearest = 1;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        nearest =
            std::min(nearest, glm::length(between_palms(source, clip, static_cast<double>(frame) / 30.0)));
    }
    REQUIRE(nearest > 0.16 * 0.53);
    REQUIRE(nearest < 0.3 * 0.53);
    const Body target = body_of(person(0, 1, 1.2));
    const auto kept = retargeted(clip, source, target, keeping());
    CHECK(kept.report.touches.empty());
    CHECK(largest_distance(retargeted(clip, source, target).clip, target, kept.clip, target,
                           key_times(clip)) < 1e-9);
    CHECK(std::ranges::any_of(kept.report.warnings, [](const std::string& warning) {
        return warning.find("No hand of the input touches") != std::string::npos;
    }));
}

TEST_CASE("an arm that is too short is said", "[retarget]") {
    const Body source = body_of(person());
    const Clip clip = moving_arms(source, hands_on_head);
    const Body target = body_of(person(0, 1, 0.5));
    const auto kept = retargeted(clip, source, target, keeping());
    CHECK(std::ranges::any_of(kept.report.touches, [](const auto& touch) { return touch.apart_mm > 20; }));
    CHECK(std::ranges::any_of(kept.report.warnings, [](const std::string& warning) {
        return warning.find("cannot reach") != std::string::npos;
    }));
}
