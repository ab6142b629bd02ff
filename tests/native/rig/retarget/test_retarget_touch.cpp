// SPDX-License-Identifier: MIT
// Hands that touch each other, the head, the hips or the thighs, on bodies of other proportions.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

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

/// At 30 frames a second. `closing`: how far the arms are closed, in each frame.
Clip moving_arms(const Body& body, const Arms& arms, const std::vector<double>& closing) {
    Clip clip{body.skeleton, {}, {}, static_cast<double>(closing.size() - 1) / 30.0};
    for (const double side : {1.0, -1.0}) {
        const std::string s = side > 0 ? "left" : "right";
        std::vector<glm::dquat> upper;
        std::vector<glm::dquat> lower;
        for (const double closed : closing) {
            const double now = arms.lower_open + (arms.lower_closed - arms.lower_open) * closed;
            upper.push_back(about({1, 0, 0}, side * arms.raise) * about({0, 0, 1}, -side * arms.upper));
            lower.push_back(arms.folds_up ? about({1, 0, 0}, side * now) : about({0, 0, 1}, -side * now));
        }
        turn_joint(clip, joint_at(body, s + "UpperArm"), upper);
        turn_joint(clip, joint_at(body, s + "LowerArm"), lower);
    }
    return clip;
}

Clip moving_arms(const Body& body, const Arms& arms) {
    std::vector<double> closing;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        closing.push_back(swing(frame));
    }
    return moving_arms(body, arms, closing);
}

/// Arms that are closed from frame `first` to `last`, and open before and after.
std::vector<double> closed_during(std::size_t first, std::size_t last, std::size_t count) {
    std::vector<double> closing(count, 0.0);
    std::fill(closing.begin() + static_cast<std::ptrdiff_t>(first),
              closing.begin() + static_cast<std::ptrdiff_t>(last + 1), 1.0);
    return closing;
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

double degrees_between_turns(const glm::dquat& a, const glm::dquat& b) {
    return 2.0 * std::asin(std::min(0.5 * chord(a, b), 1.0)) * 360.0 / std::numbers::pi;
}

const std::vector<std::string> arm_slots = {"leftUpperArm",  "leftLowerArm",  "leftHand",
                                            "rightUpperArm", "rightLowerArm", "rightHand"};

double largest_of(const std::vector<double>& values) { return *std::ranges::max_element(values); }

/// How far each of `arm_slots` turns between two times, relative to the joint above it, in degrees.
std::vector<double> arm_steps(const Body& body, const Clip& clip, double from, double to) {
    const auto before = placed(clip, from);
    const auto after = placed(clip, to);
    std::vector<double> steps;
    for (const std::string& slot : arm_slots) {
        const std::size_t joint = joint_at(body, slot);
        const std::size_t above = *body.skeleton.nodes[joint].parent;
        const auto local = [&](const std::vector<Transform>& world) {
            return glm::conjugate(world[above].rotation) * world[joint].rotation;
        };
        steps.push_back(degrees_between_turns(local(before), local(after)));
    }
    return steps;
}

/// How far an arm's joint turns more in a frame than without Keep Touch, at most, in degrees.
double largest_added_step(const Body& body, const Clip& loose, const Clip& kept, std::size_t count) {
    double largest = 0;
    for (std::size_t frame = 1; frame < count; ++frame) {
        const double from = static_cast<double>(frame - 1) / 30.0;
        const double to = static_cast<double>(frame) / 30.0;
        const auto before = arm_steps(body, loose, from, to);
        const auto after = arm_steps(body, kept, from, to);
        for (std::size_t i = 0; i < after.size(); ++i) {
            largest = std::max(largest, after[i] - before[i]);
        }
    }
    return largest;
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
                for (const std::string slot : {"leftHand", "rightHand"}) {
                    const std::size_t hand = joint_at(target, slot);
                    CHECK(degrees_between_turns(placed(loose.clip, time)[hand].rotation,
                                                placed(kept.clip, time)[hand].rotation) < 0.5);
                }
            }
            // Nothing moves but the arms.
            const auto before = placed(loose.clip, time);
            const auto after = placed(kept.clip, time);
            for (const std::string slot : {"head", "hips", "leftFoot"}) {
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

TEST_CASE("arms that turn for a touch do not count as different from the input's", "[retarget]") {
    const Body source = body_of(person());
    const Body target = body_of(person(30, 1.1, 0.8));
    const auto kept = retargeted(moving_arms(source, clapping), source, target, keeping());
    double most_degrees = 0;
    for (const auto& slot : kept.report.slots) {
        const bool is_arm = std::ranges::find(arm_slots, slot.slot) != arm_slots.end();
        const bool is_finger = slot.slot.ends_with("Proximal") || slot.slot.ends_with("Intermediate");
        CAPTURE(slot.slot);
        CHECK(slot.is_adjusted == (is_arm || is_finger));
        most_degrees = is_arm ? std::max(most_degrees, slot.difference_degrees.value()) : most_degrees;
    }
    CHECK(most_degrees > 1);
    CHECK(kept.report.worst_degrees() < 0.01);
    const std::string text = rig::retarget::describe_retarget(rig::retarget::retarget_json(kept.report));
    CHECK_THAT(text, ContainsSubstring(" parts of the body move as in the input, within 0.000 degrees\n"));
    CHECK_THAT(text, !ContainsSubstring("differs by"));
    CHECK_THAT(text, ContainsSubstring("For that, an arm turns up to " +
                                       std::to_string(std::lround(most_degrees)) + " degrees\n"));
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

TEST_CASE("no joint of an arm turns faster by more than 60 degrees a second", "[retarget]") {
    constexpr double most_degrees = 60.0 / 30.0 + 1e-3;  // rounding
    std::mt19937 random(7);
    const Body source = body_of(person());
    for (const double arm_size : {0.75, 1.0, 1.2, 1.4}) {
        auto joints = person(20, 1, arm_size);
        roll_at_random(joints, random);
        const Body target = body_of(joints);
        for (const Arms& arms : {clapping, hands_on_head}) {
            // A swing, and touches that begin and end from one frame to the next.
            for (const auto& closing : {std::vector<double>{}, closed_during(20, 40, frames)}) {
                const Clip clip =
                    closing.empty() ? moving_arms(source, arms) : moving_arms(source, arms, closing);
                const auto loose = retargeted(clip, source, target);
                const auto kept = retargeted(clip, source, target, keeping());
                REQUIRE(!kept.report.touches.empty());
                CHECK(largest_added_step(target, loose.clip, kept.clip, frames) < most_degrees);
            }
        }
    }
}

TEST_CASE("elbows stay between 10 and 150 degrees on the way", "[retarget]") {
    struct Case {
        Arms arms;
        double arm_size = 1;
    };
    const Body source = body_of(person());
    // Short arms reach for the other hand from nearly straight; long ones fold for the head, and are folded.
    for (const Case& one :
         {Case{{.upper = 80, .lower_open = 12, .lower_closed = 55}, 0.6},
          Case{{.raise = 62, .lower_open = 148, .lower_closed = 110, .folds_up = true}, 1.5}}) {
        const Body target = body_of(person(0, 1, one.arm_size));
        const Clip clip = moving_arms(source, one.arms, closed_during(20, 40, frames));
        const auto kept = retargeted(clip, source, target, keeping());
        REQUIRE(!kept.report.touches.empty());
        for (std::size_t frame = 0; frame < frames; ++frame) {
            const auto world = placed(kept.clip, static_cast<double>(frame) / 30.0);
            const Transform& upper = world[joint_at(target, "leftUpperArm")];
            const glm::dvec3 elbow = world[joint_at(target, "leftLowerArm")].translation;
            const glm::dvec3 hand = world[joint_at(target, "leftHand")].translation;
            const glm::dvec3 axis =
                glm::conjugate(upper.rotation) * glm::cross(elbow - upper.translation, hand - elbow);
            // The body rests in the clip's directions: lower arms fold about X or -Z.
            const double sign = (one.arms.folds_up ? axis.x : -axis.z) > 0.0 ? 1.0 : -1.0;
            const double flex = sign * degrees_between(elbow - upper.translation, hand - elbow);
            CHECK(flex > 9.5);  // the rest is bent by 2 degrees
            CHECK(flex < 150.5);
        }
    }
}

TEST_CASE("a long touch is reached, however far the hand moves for it, and long before it nothing moves",
          "[retarget]") {
    constexpr std::size_t count = 301;
    const Body source = body_of(person());
    const Body target = body_of(person(0, 1, 1.3));
    const Clip clip = moving_arms(source, clapping, closed_during(140, 170, count));
    const auto loose = retargeted(clip, source, target);
    const auto kept = retargeted(clip, source, target, keeping());
    const auto apart = [&](const Clip& moved, std::size_t frame) {
        const double time = static_cast<double>(frame) / 30.0;
        return glm::length(between_palms(target, moved, time) - 1.3 * between_palms(source, clip, time));
    };
    CHECK(apart(loose.clip, 150) > 0.05);
    for (std::size_t frame = 140; frame <= 170; ++frame) {
        CHECK(apart(kept.clip, frame) < 0.003);  // the first and last are averages with the way
    }
    // A second of touch, 0.75 s, the averages, and a way that is not straight.
    const std::vector<double> far = {0.0, 1.0, 5.667 + 3.2, 10.0};
    CHECK(largest_distance(loose.clip, target, kept.clip, target, far) < 1e-9);
}

TEST_CASE("hands that swing by for less than 0.1 s do not touch", "[retarget]") {
    const Body source = body_of(person());
    const Body target = body_of(person(0, 1, 1.2));
    for (const std::size_t touching_frames : {2U, 5U}) {
        const Clip clip = moving_arms(source, clapping, closed_during(30, 29 + touching_frames, frames));
        const auto kept = retargeted(clip, source, target, keeping());
        CHECK(kept.report.touches.empty() == (touching_frames == 2));
    }
}

TEST_CASE("a pose of hands that touch is kept", "[retarget]") {
    const Body source = body_of(person());
    const Body target = body_of(person(0, 1, 1.2));
    const Clip clip = moving_arms(source, clapping, {1.0});
    const auto kept = retargeted(clip, source, target, keeping());
    CHECK(glm::length(between_palms(target, kept.clip, 0) - 1.2 * between_palms(source, clip, 0)) < 0.002);
}

TEST_CASE("a loop's end leads to the touch at its beginning", "[retarget]") {
    const Body source = body_of(person());
    const Body target = body_of(person(0, 1, 1.4));
    const Clip clip = moving_arms(source, clapping, closed_during(2, 20, frames));
    const auto kept = retargeted(clip, source, target, keeping());
    const double end = static_cast<double>(frames - 1) / 30.0;
    CHECK(largest_of(arm_steps(target, kept.clip, 0, end)) < 1e-3);
    CHECK(glm::length(between_palms(target, kept.clip, 0.4) - 1.4 * between_palms(source, clip, 0.4)) <
          0.002);
    // On the way there already.
    CHECK(largest_distance(retargeted(clip, source, target).clip, target, kept.clip, target, {0.0, end}) >
          0.01);
}

TEST_CASE("straight arms bend to their usual side", "[retarget]") {
    // Hands on the thighs of straight arms, and once the elbows bend.
    const Body source = body_of(person());
    const Body target = body_of(person(0, 1, 1.3));
    std::vector<double> closing = closed_during(0, 40, frames);
    const Clip clip = moving_arms(source, {.raise = -90, .lower_open = 40, .lower_closed = 0}, closing);
    const auto kept = retargeted(clip, source, target, keeping());
    REQUIRE(!kept.report.touches.empty());
    const auto world = placed(kept.clip, 0.5);
    for (const std::string side : {"left", "right"}) {
        const glm::dvec3 shoulder = world[joint_at(target, side + "UpperArm")].translation;
        const glm::dvec3 elbow = world[joint_at(target, side + "LowerArm")].translation - shoulder;
        const glm::dvec3 wrist = world[joint_at(target, side + "Hand")].translation - shoulder;
        const glm::dvec3 bow = elbow - wrist * (glm::dot(elbow, wrist) / glm::dot(wrist, wrist));
        CHECK(bow.x < 0.0);  // lower arms fold forward, so elbows go back
        CHECK(glm::length(bow) > 0.02);
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
}

TEST_CASE("of arms that are too short, the worst is said", "[retarget]") {
    const Body source = body_of(person());
    const Clip clip = moving_arms(source, hands_on_head);
    const Body target = body_of(person(0, 1, 0.5));
    const auto kept = retargeted(clip, source, target, keeping());
    CHECK(std::ranges::count_if(kept.report.touches, [](const auto& touch) { return touch.apart_mm > 50; }) >
          1);
    std::vector<std::string> said;
    std::ranges::copy_if(kept.report.warnings, std::back_inserter(said), [](const std::string& warning) {
        return warning.find("away from where it touches") != std::string::npos;
    });
    REQUIRE(said.size() == 1);
    const double worst =
        std::ranges::max(kept.report.touches, {}, [](const auto& touch) { return touch.apart_mm; }).apart_mm;
    CHECK(said.front().find("up to " + std::to_string(std::lround(worst)) + " mm") != std::string::npos);
}
