// SPDX-License-Identifier: MIT
// The postures in which source and target look alike, and parts that stay.
#include <numbers>

#include "catch.h"
#include "retarget_support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

glm::dvec3 arm_of(const Clip& clip, const Body& body) {
    const auto world = placed(clip, 0);
    return world[joint_at(body, "leftHand")].translation - world[joint_at(body, "leftUpperArm")].translation;
}

/// The body with the given rotations of its joints as its rest pose.
Body resting(const Body& body, const std::vector<std::pair<std::string, glm::dquat>>& turns) {
    Clip pose = still(body);
    for (const auto& [slot, turn] : turns) {
        turn_joint(pose, joint_at(body, slot), {turn});
    }
    const auto world = placed(pose, 0);
    std::vector<BodyJoint> joints = body.joints;
    for (std::size_t joint = 0; joint < joints.size(); ++joint) {
        joints[joint].head = world[joint].translation;
        joints[joint].rest = world[joint].rotation;
    }
    return body_of(joints);
}

/// A fighter's rest pose: the hips tilted to a side, the chest twisted against them.
const std::vector<std::pair<std::string, glm::dquat>> twists = {
    {"hips", about({1, 0, 0}, 12)}, {"spine", about({0, 0, 1}, 9)}, {"chest", about({0, 0, 1}, 9)}};

bool tells_of_twist(const rig::retarget::Retargeted& made, const std::string& words) {
    return std::any_of(made.report.warnings.begin(), made.report.warnings.end(),
                       [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("a generated T-pose levels hips and spine", "[retarget]") {
    const Body straight = body_of(person(0));
    const Body twisted = resting(straight, twists);
    Clip clip = still(twisted);
    for (const auto& [slot, turn] : twists) {
        turn_joint(clip, joint_at(twisted, slot), {glm::conjugate(turn)});  // it stands straight
    }
    rig::retarget::RetargetOptions options;
    options.source_reference.kind = rig::retarget::ReferenceKind::tpose;
    const rig::retarget::Retargeted level = retargeted(clip, twisted, straight, options);
    const auto world = placed(level.clip, 0);
    for (const std::string slot : {"hips", "spine", "chest", "head"}) {
        INFO(slot);
        CHECK(chord(world[joint_at(straight, slot)].rotation, glm::dquat(1, 0, 0, 0)) < 0.01);
    }
    CHECK(!tells_of_twist(level, "differ by"));

    options.source_reference.kind = rig::retarget::ReferenceKind::rest;
    const rig::retarget::Retargeted as_it_rests = retargeted(clip, twisted, straight, options);
    CHECK(chord(placed(as_it_rests.clip, 0)[joint_at(straight, "chest")].rotation, glm::dquat(1, 0, 0, 0)) >
          0.1);
    CHECK(tells_of_twist(as_it_rests, "differ by 12 degrees at the hips"));
    CHECK(tells_of_twist(as_it_rests, "degrees at the chest"));
}

TEST_CASE("a generated T-pose raises a torso that bends forward", "[retarget]") {
    const Body straight = body_of(person(0));
    const Body bent = resting(straight, {{"spine", about({0, 1, 0}, 40)}});
    Clip clip = still(bent);
    turn_joint(clip, joint_at(bent, "spine"), {about({0, 1, 0}, -40)});
    rig::retarget::RetargetOptions options;
    options.source_reference.kind = rig::retarget::ReferenceKind::tpose;
    const auto world = placed(retargeted(clip, bent, straight, options).clip, 0);
    // Then the line from the lowest joint to the neck is upright; at rest it leans by 1.4 degrees.
    CHECK(chord(world[joint_at(straight, "chest")].rotation, glm::dquat(1, 0, 0, 0)) < 0.03);
}

TEST_CASE("a generated T-pose takes a body whose arms hang for one whose arms are level", "[retarget]") {
    const Body hanging = body_of(person(70));
    const Body level = body_of(person(0));
    rig::retarget::RetargetOptions options;
    options.align = false;
    options.source_reference.kind = rig::retarget::ReferenceKind::tpose;
    // At rest, the source's arms are 70 degrees below its T-pose; then so are the target's.
    const Clip result = retargeted(still(hanging), hanging, level, options).clip;
    CHECK(degrees_between(arm_of(result, level), arm_of(still(hanging), hanging)) < 1.5);
    options.source_reference.kind = rig::retarget::ReferenceKind::rest;
    CHECK(degrees_between(arm_of(retargeted(still(hanging), hanging, level, options).clip, level),
                          {0, 1, 0}) < 1.5);
}

TEST_CASE("the pose that a rig file stores is the reference, unless rest is asked for", "[retarget]") {
    Body hanging = body_of(person(70));
    const Body level = body_of(person(0));
    hanging.rig.reference_local.resize(hanging.joints.size());
    hanging.rig.reference_local[joint_at(hanging, "leftUpperArm")] = about({1, 0, 0}, 70);
    rig::retarget::RetargetOptions options;
    options.align = false;
    CHECK(degrees_between(arm_of(retargeted(still(hanging), hanging, level, options).clip, level),
                          arm_of(still(hanging), hanging)) < 1e-6);
    options.source_reference.kind = rig::retarget::ReferenceKind::rest;
    CHECK(degrees_between(arm_of(retargeted(still(hanging), hanging, level, options).clip, level),
                          arm_of(still(level), level)) < 1e-6);
}

TEST_CASE("joints of the target without a part stay at rest, whatever its reference turns", "[retarget]") {
    const Body source = body_of(person(0));
    std::vector<BodyJoint> joints = person(30);
    for (BodyJoint& joint : joints) {
        joint.slot = joint.slot == "leftShoulder" ? "" : joint.slot;
    }
    Body target = body_of(joints);
    target.rig.reference_local.resize(joints.size());
    const auto shoulder = target.skeleton.find("leftShoulder").value();
    target.rig.reference_local[shoulder] = about({1, 0, 0}, 30);
    const Clip result = retargeted(still(source), source, target).clip;
    CHECK(chord(placed(result, 0)[shoulder].rotation, glm::dquat(1, 0, 0, 0)) < 1e-9);
    CHECK(degrees_between(arm_of(result, target), arm_of(still(source), source)) < 1e-6);
}

TEST_CASE("arms move relative to a back that stays on hips that turn", "[retarget]") {
    const Body body = body_of(person(0));
    Clip clip = still(body);
    turn_joint(clip, joint_at(body, "hips"), {about({0, 0, 1}, 50)});
    turn_joint(clip, joint_at(body, "chest"), {about({0, 1, 0}, 30)});
    turn_joint(clip, joint_at(body, "leftUpperArm"), {about({1, 0, 0}, 20)});
    rig::retarget::RetargetOptions options;
    options.slots = {"hips", "leftUpperArm"};
    const Clip result = retargeted(clip, body, body, options).clip;
    // The chest stays at rest on the hips: the hips and the arm itself turn the arm.
    const auto world = placed(result, 0);
    CHECK(chord(world[joint_at(body, "leftUpperArm")].rotation, about({0, 0, 1}, 50) * about({1, 0, 0}, 20)) <
          1e-9);
    CHECK(chord(world[joint_at(body, "chest")].rotation, about({0, 0, 1}, 50)) < 1e-9);
}

TEST_CASE("only parts that something of their own moves get keys if the caller asks for that", "[retarget]") {
    const Body body = body_of(person(70));
    const Body level = body_of(person(0));
    Clip clip = still(body);
    turn_joint(clip, joint_at(body, "leftUpperArm"), {about({1, 0, 0}, 20)});
    rig::retarget::RetargetOptions options;
    // Aligned with hanging arms, the other arm would be held down.
    CHECK(retargeted(clip, body, level, options).clip.tracks.size() > 1);
    options.only_keyed = true;
    const Clip result = retargeted(clip, body, level, options).clip;
    REQUIRE(result.tracks.size() == 1);
    CHECK(result.tracks.front().node == joint_at(level, "leftUpperArm"));
    CHECK(degrees_between(arm_of(result, level), arm_of(clip, body)) < 1.5);
}

TEST_CASE("a joint without a part counts for the part below it", "[retarget]") {
    std::vector<BodyJoint> joints = person(0);
    for (BodyJoint& joint : joints) {
        joint.slot = joint.slot == "leftShoulder" ? "" : joint.slot;
    }
    const Body body = body_of(joints);
    Clip clip = still(body);
    turn_joint(clip, body.skeleton.find("leftShoulder").value(), {about({1, 0, 0}, 20)});
    rig::retarget::RetargetOptions options;
    options.only_keyed = true;
    const Clip result = retargeted(clip, body, body, options).clip;
    REQUIRE(result.tracks.size() == 1);
    CHECK(result.tracks.front().node == joint_at(body, "leftUpperArm"));
    CHECK(degrees_between(arm_of(result, body), arm_of(clip, body)) < 1e-6);
}
