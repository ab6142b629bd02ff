// SPDX-License-Identifier: MIT
// Retargeting between bodies: postures, split bones, chains, the path of the body, and what goes wrong.
#include <algorithm>
#include <array>
#include <string_view>

#include "catch.h"
#include "retarget_support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// The slots of limbs, and the slots that they point at.
constexpr std::array<std::array<const char*, 2>, 17> pointing = {{
    {"spine", "chest"},
    {"chest", "neck"},
    {"neck", "head"},
    {"leftUpperLeg", "leftLowerLeg"},
    {"leftLowerLeg", "leftFoot"},
    {"leftFoot", "leftToes"},
    {"leftShoulder", "leftUpperArm"},
    {"leftUpperArm", "leftLowerArm"},
    {"leftLowerArm", "leftHand"},
    {"leftHand", "leftMiddleProximal"},
    {"leftIndexProximal", "leftIndexIntermediate"},
    {"rightUpperLeg", "rightLowerLeg"},
    {"rightLowerLeg", "rightFoot"},
    {"rightFoot", "rightToes"},
    {"rightShoulder", "rightUpperArm"},
    {"rightUpperArm", "rightLowerArm"},
    {"rightLowerArm", "rightHand"},
}};

glm::dvec3 points(const std::vector<Transform>& world, const Body& body, const std::string& from,
                  const std::string& to) {
    return world[joint_at(body, to)].translation - world[joint_at(body, from)].translation;
}

const rig::retarget::SlotReport& report_of(const rig::retarget::RetargetReport& report,
                                           std::string_view slot) {
    const auto found = std::find_if(report.slots.begin(), report.slots.end(),
                                    [&](const rig::retarget::SlotReport& row) { return row.slot == slot; });
    REQUIRE(found != report.slots.end());
    return *found;
}

/// The slot's bone in two halves. Both have the bone's own rotation at rest.
Body with_split_bone(std::vector<BodyJoint> joints, const std::string& slot, const std::string& end) {
    const auto at =
        static_cast<std::size_t>(std::find_if(joints.begin(), joints.end(),
                                              [&](const BodyJoint& joint) { return joint.slot == slot; }) -
                                 joints.begin());
    const auto next =
        std::find_if(joints.begin(), joints.end(), [&](const BodyJoint& joint) { return joint.slot == end; });
    BodyJoint half = joints[at];
    half.name = slot + " half";
    half.slot.clear();
    half.head = 0.5 * (half.head + next->head);
    half.parent = static_cast<int>(at);
    const auto child_of = static_cast<int>(at);
    for (BodyJoint& joint : joints) {
        joint.parent += joint.parent >= child_of ? 1 : 0;
    }
    joints.insert(joints.begin() + static_cast<std::ptrdiff_t>(at) + 1, half);
    Body body = body_of(joints);
    body.rig.chains.push_back({slot, {at, at + 1}});
    return body;
}

/// The part of a rotation that is about an axis, and so keeps the axis in place.
glm::dquat twist_of(const glm::dquat& turn, const glm::dvec3& axis) {
    const glm::dvec3 unit = glm::normalize(axis);
    const double along = glm::dot(glm::dvec3(turn.x, turn.y, turn.z), unit);
    return glm::normalize(glm::dquat(turn.w, unit.x * along, unit.y * along, unit.z * along));
}

}  // namespace

TEST_CASE("limbs point as the source's do, whatever the postures and rolls", "[retarget]") {
    for (unsigned seed = 0; seed < 500; ++seed) {
        std::mt19937 random(seed);
        std::vector<BodyJoint> from = person(90.0 * (seed % 7) / 6.0);
        std::vector<BodyJoint> to = person(90.0 * (seed % 5) / 4.0, 1.3, 0.8);
        roll_at_random(from, random);
        roll_at_random(to, random);
        const Body source = body_of(from);
        const Body target = body_of(to);
        const Clip clip = random_motion(source, random);
        const rig::retarget::Retargeted result = retargeted(clip, source, target);
        for (const double time : key_times(clip)) {
            const auto a = placed(clip, time);
            const auto b = placed(result.clip, time);
            for (const auto& [slot, end] : pointing) {
                CHECK(degrees_between(points(a, source, slot, end), points(b, target, slot, end)) < 0.01);
            }
        }
        CHECK(result.report.worst_degrees() < 0.01);
    }
}

TEST_CASE("a palm keeps its side between a body in T-pose and one whose arms hang", "[retarget]") {
    const Body source = body_of(person(0));
    const Body target = body_of(person(90));
    const rig::retarget::Retargeted result = retargeted(still(source), source, target);
    const auto world = placed(result.clip, 0);
    const glm::dvec3 knuckles = points(world, target, "leftLittleProximal", "leftIndexProximal");
    CHECK(degrees_between(knuckles, {0.065, 0.01, 0.005}) < 0.5);
    // The arm came up by a quarter turn, and the report says so.
    CHECK(report_of(result.report, "leftUpperArm").alignment_degrees == Approx(90).margin(0.5));
    REQUIRE(!result.report.warnings.empty());
    CHECK_THAT(result.report.warnings.back(), ContainsSubstring("leftUpperArm"));
}

TEST_CASE("a hand whose roll differs is turned by its knuckles", "[retarget]") {
    std::vector<BodyJoint> joints = person(0);
    const glm::dvec3 wrist = std::find_if(joints.begin(), joints.end(), [](const BodyJoint& joint) {
                                 return joint.slot == "leftHand";
                             })->head;
    for (BodyJoint& joint : joints) {
        if (joint.slot.find("left") == 0 && joint.slot.find("imal") != std::string::npos) {
            joint.head = wrist + about({0, 1, 0}, 80) * (joint.head - wrist);  // the palm looks forward
        }
    }
    const Body source = body_of(person(0));
    const Body target = body_of(joints);
    const auto world = placed(retargeted(still(source), source, target).clip, 0);
    const auto wanted = placed(still(source), 0);
    CHECK(degrees_between(points(world, target, "leftLittleProximal", "leftIndexProximal"),
                          points(wanted, source, "leftLittleProximal", "leftIndexProximal")) < 0.5);
}

TEST_CASE("an arm that the rig splits in two moves as one that is whole", "[retarget]") {
    std::mt19937 random(4);
    for (unsigned seed = 0; seed < 500; ++seed) {
        const std::vector<BodyJoint> joints = person(30);
        const Body whole = body_of(joints);
        const Body split = with_split_bone(joints, "leftUpperArm", "leftLowerArm");
        const glm::dvec3 along = whole.joints[joint_at(whole, "leftLowerArm")].head -
                                 whole.joints[joint_at(whole, "leftUpperArm")].head;
        const glm::dquat swing = any_rotation(random);
        const double twist = std::uniform_real_distribution<double>(-120, 120)(random);
        Clip in_one = still(whole);
        turn_joint(in_one, joint_at(whole, "leftUpperArm"), {swing * about(along, twist)});
        Clip in_two = still(split);
        turn_joint(in_two, joint_at(split, "leftUpperArm"), {swing * about(along, twist / 2)});
        turn_joint(in_two, joint_at(split, "leftUpperArm") + 1, {about(along, twist / 2)});

        const Body target = body_of(person(60, 1.2));
        CHECK(largest_distance(retargeted(in_one, whole, target).clip, target,
                               retargeted(in_two, split, target).clip, target, {0.0}) < 1e-9);
        // And as a target: the first half swings, and the second one has the twist, too.
        const Clip onto = retargeted(in_one, whole, split).clip;
        Clip wanted = still(split);
        const glm::dquat swing_alone = swing * glm::conjugate(twist_of(swing, along));
        turn_joint(wanted, joint_at(split, "leftUpperArm"), {swing_alone});
        turn_joint(wanted, joint_at(split, "leftUpperArm") + 1,
                   {glm::conjugate(swing_alone) * swing * about(along, twist)});
        const auto a = placed(wanted, 0);
        const auto b = placed(onto, 0);
        const std::size_t first = joint_at(split, "leftUpperArm");
        CHECK(chord(a[first].rotation, b[first].rotation) < 1e-9);
        CHECK(chord(a[first + 1].rotation, b[first + 1].rotation) < 1e-9);
        CHECK(largest_distance(wanted, split, onto, split, {0.0}) < 1e-9);
    }
}

TEST_CASE("an arm that bends within its bone points from its beginning to its end", "[retarget]") {
    const Body split = with_split_bone(person(0), "leftUpperArm", "leftLowerArm");
    Clip clip = still(split);
    turn_joint(clip, joint_at(split, "leftUpperArm"), {about({1, 0, 0}, 20)});
    turn_joint(clip, joint_at(split, "leftUpperArm") + 1, {about({0, 0, 1}, 30)});
    const Body target = body_of(person(0, 1.2));
    const auto a = placed(clip, 0);
    const auto b = placed(retargeted(clip, split, target).clip, 0);
    CHECK(degrees_between(points(a, split, "leftUpperArm", "leftLowerArm"),
                          points(b, target, "leftUpperArm", "leftLowerArm")) < 1e-6);
}

TEST_CASE("a spine of two joints bends one of four evenly", "[retarget]") {
    const auto with_spine = [](std::size_t count) {
        std::vector<BodyJoint> joints{{"hips", "hips", -1, {0, 0, 1}}};
        std::vector<std::size_t> chain;
        for (std::size_t i = 0; i < count; ++i) {
            chain.push_back(joints.size());
            joints.push_back({"spine" + std::to_string(i),
                              i == 0 ? "spine" : "",
                              static_cast<int>(joints.size()) - 1,
                              {0, 0, 1.0 + 0.4 * static_cast<double>(i) / static_cast<double>(count)}});
        }
        joints.push_back({"head", "head", static_cast<int>(joints.size()) - 1, {0, 0, 1.4}});
        Body body = body_of(joints);
        body.rig.chains.push_back({"spine", chain});
        return body;
    };
    const Body two = with_spine(2);
    const Body four = with_spine(4);
    Clip clip = still(two);
    turn_joint(clip, 1, {about({0, 1, 0}, 40)});
    turn_joint(clip, 2, {about({0, 1, 0}, 20)});
    const auto world = placed(retargeted(clip, two, four).clip, 0);
    // By hand: the ends as in the source, and thirds of the way between.
    for (const auto& [node, degrees] : {std::pair(1, 40.0), std::pair(2, 40.0 + 20.0 / 3.0),
                                        std::pair(3, 40.0 + 40.0 / 3.0), std::pair(4, 60.0)}) {
        CHECK(chord(world[static_cast<std::size_t>(node)].rotation, about({0, 1, 0}, degrees)) < 1e-9);
    }
}

TEST_CASE("the path of the body is scaled by the lengths of the legs", "[retarget]") {
    std::mt19937 random(1);
    const Body source = body_of(person(0));
    const Body target = body_of(person(0, 1.5));
    Clip clip = still(source);
    Track path{0, Channel::translation};
    add_row(path, 0, glm::dvec3(0.2, 0.1, 0.95));
    add_row(path, 1, glm::dvec3(1.2, 0.1, 0.85));
    clip.tracks.push_back(path);
    const auto place = [&](const rig::retarget::RetargetOptions& options, double time) {
        return placed(retargeted(clip, source, target, options).clip, time)[0].translation;
    };
    const auto is_near = [](const glm::dvec3& a, const glm::dvec3& b) { return glm::length(a - b) < 1e-9; };
    CHECK(is_near(place({}, 1), {1.8, 0.15, 0.85 * 1.5}));
    rig::retarget::RetargetOptions options;
    options.in_place = true;
    CHECK(is_near(place(options, 1), {0, 0, 0.85 * 1.5}));
    options = {};
    options.from_origin = true;
    CHECK(is_near(place(options, 0), {0, 0, 0.95 * 1.5}));
    CHECK(is_near(place(options, 1), {1.5, 0, 0.85 * 1.5}));
    options = {};
    options.root_scale = rig::retarget::RootScale{1, 2};
    CHECK(is_near(place(options, 1), {1.2, 0.1, 0.95 * 1.5 - 0.2}));
    options = {};
    options.on_ground = true;  // the lowest foot, at 1 s, was 0.1 m below the floor
    CHECK(is_near(place(options, 1), {1.8, 0.15, 0.95 * 1.5}));
}

TEST_CASE("a file that rests at the origin and stands on the floor does not float", "[retarget]") {
    const auto lowered = [] {
        std::vector<BodyJoint> joints = person(0);
        for (BodyJoint& joint : joints) {
            joint.head.z -= 0.95;
        }
        return joints;
    };
    const Body source = body_of(lowered());
    const Body target = body_of(person(0));
    Clip clip = still(source);
    Track path{0, Channel::translation};
    add_row(path, 0, glm::dvec3(0, 0, 0.94));
    clip.tracks.push_back(path);
    // The toes are at 0.01 m, their lowest: they are on the floor like the target's at rest.
    CHECK(placed(retargeted(clip, source, target).clip, 0)[0].translation.z == Approx(0.95));
    // Onto itself, every bit stays.
    CHECK(retargeted(clip, source, source).clip.tracks.front().values == path.values);
}

TEST_CASE("hips under a root that carries the turn of the axes", "[retarget]") {
    std::mt19937 random(3);
    const std::vector<BodyJoint> joints = person(20);
    std::vector<BodyJoint> under_root{{"root", "", -1, {0, 0, 0}, about({1, 0, 0}, 90)}};
    for (BodyJoint joint : joints) {
        ++joint.parent;
        under_root.push_back(joint);
    }
    const Body plain = body_of(joints);
    const Body turned_root = body_of(under_root);
    const Clip clip = random_motion(plain, random);
    const Clip onto = retargeted(clip, plain, turned_root).clip;
    CHECK(largest_distance(clip, plain, onto, turned_root, key_times(clip)) < 1e-9);
    const Clip back = retargeted(onto, turned_root, plain).clip;
    CHECK(largest_distance(clip, plain, back, plain, key_times(clip)) < 1e-9);
}

TEST_CASE("a map that mixes up left and right is refused", "[retarget]") {
    const Body source = body_of(person(0));
    Body target = body_of(person(0));
    target.rig.facing = glm::dvec3(-1, 0, 0);
    const auto result = rig::retarget::retarget(still(source), source.rig, target.skeleton, target.rig, {});
    REQUIRE(!result);
    CHECK(result.error().code == ErrorCode::rejected);
    CHECK_THAT(result.error().reason, ContainsSubstring("left hip"));
}

TEST_CASE("a joint without length follows the one above", "[retarget]") {
    std::vector<BodyJoint> joints = person(0);
    for (BodyJoint& joint : joints) {
        if (joint.slot == "leftUpperArm") {
            joint.head = joints[static_cast<std::size_t>(joint.parent)].head;  // the clavicle has no length
        }
    }
    const Body source = body_of(joints);
    const Body target = body_of(person(45));
    const rig::retarget::Retargeted result = retargeted(still(source), source, target);
    CHECK(report_of(result.report, "leftShoulder").alignment_degrees == 0.0);
    CHECK(!report_of(result.report, "leftShoulder").by_direction);
}

TEST_CASE("hands without a body move fingers, and stay on the target's arms", "[retarget]") {
    std::vector<BodyJoint> hand;
    for (const BodyJoint& joint : person(0)) {
        if (joint.slot == "leftHand" || joint.slot.find("imal") != std::string::npos ||
            joint.slot == "leftIndexIntermediate") {
            if (joint.slot.rfind("left", 0) == 0) {
                hand.push_back(joint);
            }
        }
    }
    for (BodyJoint& joint : hand) {
        joint.parent = joint.slot == "leftHand" ? -1 : joint.slot == "leftIndexIntermediate" ? 1 : 0;
        joint.head = about({1, 2, 3}, 77) * joint.head;  // it lies anywhere
        joint.rest = about({1, 2, 3}, 77) * joint.rest;
    }
    const Body source = body_of(hand);
    const Body target = body_of(person(45));
    Clip clip = still(source);
    // In the hand's own frame, 30 degrees about the knuckles' line.
    const std::size_t index = joint_at(source, "leftIndexProximal");
    turn_joint(clip, 0, {about({0, 1, 1}, 50)});
    turn_joint(clip, index, {about({1, 0, 0}, 30)});
    const rig::retarget::Retargeted result = retargeted(clip, source, target);
    const auto rest = placed(still(target), 0);
    const auto world = placed(result.clip, 0);
    const std::size_t wrist = joint_at(target, "leftHand");
    CHECK(chord(world[wrist].rotation, rest[wrist].rotation) < 1e-12);
    const std::size_t finger = joint_at(target, "leftIndexProximal");
    CHECK(angle_between_degrees(world[finger].rotation, rest[finger].rotation) == Approx(30).margin(0.5));
    CHECK(report_of(result.report, "leftHand").is_held);
    CHECK(!result.report.body);
}

TEST_CASE("some parts alone move relative to those that stay", "[retarget]") {
    std::mt19937 random(8);
    const Body body = body_of(person(0));
    const Body target = body_of(person(0, 1.1));
    Clip clip = random_motion(body, random);
    rig::retarget::RetargetOptions options;
    options.slots = {"leftUpperArm", "leftLowerArm"};
    const rig::retarget::Retargeted result = retargeted(clip, body, target, options);
    CHECK(result.clip.tracks.size() == 2);
    CHECK(result.report.worst_degrees() < 0.01);
    options.slots = {"leftWing"};
    const auto refused = rig::retarget::retarget(clip, body.rig, target.skeleton, target.rig, options);
    REQUIRE(!refused);
    CHECK_THAT(refused.error().reason, ContainsSubstring("leftWing"));
}
