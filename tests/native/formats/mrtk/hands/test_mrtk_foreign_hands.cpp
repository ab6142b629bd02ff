// SPDX-License-Identifier: MIT
// The joints of a recording on a character's hands: bones with other names and other axes, whose joints are
// known because the test made the bones of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catch.h"
#include "formats/mrtk/hands/hands.h"
#include "rig/humanoid/humanoid.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

using Joints = std::array<Transform, mrtk::file::joint_count>;

/// In the order of a hand's joints; joint 0 is none.
constexpr std::array<const char*, mrtk::file::joint_count> hand_slots = {"",
                                                                         "Hand",
                                                                         "Palm",
                                                                         "ThumbMetacarpal",
                                                                         "ThumbProximal",
                                                                         "ThumbDistal",
                                                                         "ThumbTip",
                                                                         "IndexMetacarpal",
                                                                         "IndexProximal",
                                                                         "IndexIntermediate",
                                                                         "IndexDistal",
                                                                         "IndexTip",
                                                                         "MiddleMetacarpal",
                                                                         "MiddleProximal",
                                                                         "MiddleIntermediate",
                                                                         "MiddleDistal",
                                                                         "MiddleTip",
                                                                         "RingMetacarpal",
                                                                         "RingProximal",
                                                                         "RingIntermediate",
                                                                         "RingDistal",
                                                                         "RingTip",
                                                                         "LittleMetacarpal",
                                                                         "LittleProximal",
                                                                         "LittleIntermediate",
                                                                         "LittleDistal",
                                                                         "LittleTip"};

bool is_tip(std::size_t joint) { return joint == 6 || (joint > 6 && joint % 5 == 1); }
bool is_finger_metacarpal(std::size_t joint) { return joint > 6 && joint % 5 == 2; }

Transform turned(double degrees, const glm::dvec3& axis, const glm::dvec3& place = glm::dvec3(0)) {
    return {glm::angleAxis(degrees * std::acos(-1.0) / 180.0, glm::normalize(axis)), place};
}

/// A hand whose fingers are bent by this at each joint after the knuckle, at the given place.
Joints bent_hand(std::size_t hand, double degrees, const Transform& at) {
    const Joints flat = mrtk::hands::flat_hand(hand);
    Joints made{};
    made[mrtk::file::wrist] = at;
    for (std::size_t joint = mrtk::file::palm; joint < mrtk::file::joint_count; ++joint) {
        const std::size_t above = mrtk::hands::parent_of(joint).value();
        const glm::dquat back = glm::conjugate(flat.at(above).rotation);
        const Transform local{back * flat.at(joint).rotation,
                              back * (flat.at(joint).translation - flat.at(above).translation)};
        const bool bends = joint > 6 && !is_tip(joint) && !is_finger_metacarpal(joint);
        // Fingers close about -X, because -Z is the side of the palm.
        made.at(joint) = made.at(above) * local * turned(bends ? -degrees : 0.0, {1, 0, 0});
    }
    return made;
}

/// Both hands as bones with different axes.
struct Character {
    rig::armature::Armature armature{};
    rig::humanoid::FoundRig found{};
    std::vector<std::pair<std::size_t, std::size_t>> joint_of_bone{};  ///< hand and joint
    std::vector<glm::dquat> axes{};

    template <typename Has>
    Character(const std::array<Joints, 2>& rest, const Has& has, bool is_across = true) {
        for (std::size_t hand = 0; hand < 2; ++hand) {
            for (std::size_t joint = mrtk::file::wrist; joint < mrtk::file::joint_count; ++joint) {
                if (!has(joint)) {
                    continue;
                }
                const auto number = static_cast<double>(axes.size());
                // Across the finger, which is common in imported files.
                const glm::dquat across = turned(axes.size() % 2 == 0 ? 90.0 : -90.0, {0, 0, 1}).rotation *
                                          turned(97.0 * number, {0, 1, 0}).rotation;
                axes.push_back(is_across ? across : turned(0.0, {0, 0, 1}).rotation);
                joint_of_bone.emplace_back(hand, joint);
                const std::string slot = (hand == 0 ? "left" : "right") + std::string(hand_slots.at(joint));
                REQUIRE(rig::humanoid::find_slot(slot));
                found.slots.push_back({slot, armature.bones.size()});
                armature.bones.push_back(
                    {"bone" + std::to_string(axes.size()), {}, pose(rest, axes.size() - 1)});
            }
        }
    }

    [[nodiscard]] Transform pose(const std::array<Joints, 2>& joints, std::size_t bone) const {
        const auto [hand, joint] = joint_of_bone[bone];
        const Transform& at = joints.at(hand).at(joint);
        return {at.rotation * axes[bone], at.translation};
    }
    [[nodiscard]] std::vector<Transform> poses(const std::array<Joints, 2>& joints) const {
        std::vector<Transform> all;
        for (std::size_t bone = 0; bone < axes.size(); ++bone) {
            all.push_back(pose(joints, bone));
        }
        return all;
    }
};

std::array<Joints, 2> hands_at(double degrees, double turn) {
    return {bent_hand(0, degrees, turned(turn, {1, 2, 3}, {-0.3, 0.2, 1.1})),
            bent_hand(1, degrees, turned(-2.0 * turn, {3, 1, -1}, {0.4, 0.1, 1.3}))};
}

/// Where the joints are if the bones are in these poses.
std::vector<Transform> poses_of(const mrtk::hands::ForeignHands& hands, const std::vector<Transform>& bones) {
    std::vector<Transform> poses;
    for (const mrtk::hands::ForeignJoint& joint : hands.joints) {
        poses.push_back(bones[joint.bone] * joint.local);
    }
    return poses;
}

/// How far the axes that the knuckles say may be from those of a recording.
constexpr double knuckle_line_degrees = 5.0;

bool has_all(std::size_t /*joint*/) { return true; }

const Transform& truth(const std::array<Joints, 2>& joints, std::size_t pose) {
    return joints.at(mrtk::file::hand_of(pose)).at(mrtk::file::joint_of(pose));
}

}  // namespace

TEST_CASE("a character's bones give the joints of both hands", "[mrtk-foreign-hands]") {
    const auto rest = hands_at(20.0, 35.0);
    const Character character(rest, has_all);
    const mrtk::hands::ForeignHands hands = mrtk::hands::foreign_hands(character.armature, character.found);
    CHECK(hands.left_out.empty());
    REQUIRE(hands.joints.size() == 52);
    for (const double bend : {20.0, 0.0, 55.0}) {
        const auto posed = hands_at(bend, 3.0 * bend);
        const auto poses = poses_of(hands, character.poses(posed));
        for (std::size_t i = 0; i < poses.size(); ++i) {
            const std::size_t pose = hands.joints[i].pose;
            INFO(mrtk::file::pose_name(pose) << ", bent by " << bend);
            const Transform& wanted = truth(posed, pose);
            CHECK(glm::length(poses[i].translation - wanted.translation) < 1e-12);
            // The line of this hand's knuckles falls by 3 mm in 45, which is 3.8 degrees.
            CHECK(angle_between_degrees(poses[i].rotation, wanted.rotation) < knuckle_line_degrees);
            const bool is_finger = mrtk::file::joint_of(pose) > mrtk::file::palm;
            const glm::dvec3 forward{0, 1, 0};
            if (is_finger) {
                CHECK(glm::length(poses[i].rotation * forward - wanted.rotation * forward) < 1e-9);
            }
        }
    }
}

TEST_CASE("tips, palms and metacarpals that a character lacks are placed", "[mrtk-foreign-hands]") {
    const auto rest = hands_at(20.0, 35.0);
    // The bones of most game characters: the wrist, and three bones for each finger.
    const Character character(rest, [](std::size_t joint) {
        return joint != mrtk::file::palm && !is_tip(joint) && !is_finger_metacarpal(joint);
    });
    REQUIRE(character.armature.bones.size() == 2 * 16);
    const mrtk::hands::ForeignHands hands = mrtk::hands::foreign_hands(character.armature, character.found);
    CHECK(hands.left_out.empty());
    REQUIRE(hands.joints.size() == 52);
    const auto posed = hands_at(50.0, 80.0);
    const auto poses = poses_of(hands, character.poses(posed));
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const std::size_t pose = hands.joints[i].pose;
        const std::size_t joint = mrtk::file::joint_of(pose);
        INFO(mrtk::file::pose_name(pose));
        const double off = glm::length(poses[i].translation - truth(posed, pose).translation);
        // A finger bent by 20 degrees whose end is assumed to go straight on: 2 sin(10 degrees) of 22 mm.
        const bool is_placed = is_tip(joint) || is_finger_metacarpal(joint) || joint == mrtk::file::palm;
        CHECK(off < (is_tip(joint) ? 0.0077 : is_placed ? 0.02 : 1e-12));
        // A tip or palm turns with the bone that carries it.
        CHECK(angle_between_degrees(poses[i].rotation, truth(posed, pose).rotation) <
              (is_placed || joint == 5 || (joint > 6 && joint % 5 == 0) ? 25.0 : knuckle_line_degrees));
    }
    // On the line from the wrist to the knuckle.
    const auto place = [&](std::size_t joint) {
        return std::find_if(hands.joints.begin(), hands.joints.end(),
                            [&](const mrtk::hands::ForeignJoint& one) {
                                return one.pose == mrtk::file::pose_of(0, joint);
                            }) -
               hands.joints.begin();
    };
    const auto at = [&](std::size_t joint) {
        return poses[static_cast<std::size_t>(place(joint))].translation;
    };
    const glm::dvec3 line = at(mrtk::file::middle_knuckle) - at(mrtk::file::wrist);
    CHECK(glm::length(glm::cross(at(12) - at(mrtk::file::wrist), line)) < 1e-12);
    CHECK(glm::length(at(mrtk::file::palm) - 0.5 * (at(12) + at(mrtk::file::middle_knuckle))) < 1e-12);
}

TEST_CASE("tips are where bones along the fingers end", "[mrtk-foreign-hands]") {
    const auto rest = hands_at(20.0, 35.0);
    const Character character(
        rest, [](std::size_t joint) { return !is_tip(joint); }, false);
    const mrtk::hands::ForeignHands hands = mrtk::hands::foreign_hands(character.armature, character.found);
    const auto poses = poses_of(hands, character.poses(rest));
    for (std::size_t i = 0; i < poses.size(); ++i) {
        // The bones of these hands have the flat hand's proportions.
        CHECK(glm::length(poses[i].translation - truth(rest, hands.joints[i].pose).translation) < 1e-12);
    }
}

TEST_CASE("the left and the right hand have their backs on the same side", "[mrtk-foreign-hands]") {
    // Palms down: the back of either hand is up.
    const std::array<Joints, 2> rest = {bent_hand(0, 0, {}), bent_hand(1, 0, {})};
    const Character character(rest, has_all);
    const mrtk::hands::ForeignHands hands = mrtk::hands::foreign_hands(character.armature, character.found);
    const auto poses = poses_of(hands, character.poses(rest));
    for (std::size_t i = 0; i < poses.size(); ++i) {
        if (mrtk::file::joint_of(hands.joints[i].pose) == mrtk::file::wrist) {
            CHECK((poses[i].rotation * glm::dvec3(0, 0, 1)).z > 0.99);
            CHECK((poses[i].rotation * glm::dvec3(0, 1, 0)).y > 0.99);
        }
    }
}

TEST_CASE("hands and fingers without enough bones are left out, and said", "[mrtk-foreign-hands]") {
    const auto rest = hands_at(10.0, 5.0);
    const Character no_wrists(rest, [](std::size_t joint) { return joint != mrtk::file::wrist; });
    const mrtk::hands::ForeignHands none = mrtk::hands::foreign_hands(no_wrists.armature, no_wrists.found);
    CHECK(none.joints.empty());
    REQUIRE(none.left_out.size() == 2);
    CHECK(none.left_out[0].find("left hand") != std::string::npos);

    const Character mittens(rest, [](std::size_t joint) { return joint == mrtk::file::wrist || joint == 8; });
    CHECK(mrtk::hands::foreign_hands(mittens.armature, mittens.found).joints.empty());

    const Character three_fingers(rest, [](std::size_t joint) { return joint < 19; });
    const mrtk::hands::ForeignHands some =
        mrtk::hands::foreign_hands(three_fingers.armature, three_fingers.found);
    CHECK(some.left_out.size() == 4);
    CHECK(some.joints.size() == 2 * 16);

    // Bones at one position, NaN, and missing bones.
    Character broken(rest, has_all);
    for (rig::armature::Bone& bone : broken.armature.bones) {
        bone.rest.translation = {1, 1, 1};
    }
    CHECK(mrtk::hands::foreign_hands(broken.armature, broken.found).joints.empty());
    broken.armature.bones[3].rest.translation.x = NAN;
    CHECK(mrtk::hands::foreign_hands(broken.armature, broken.found).joints.empty());
    broken.found.slots[0].joint = 1000;
    CHECK(mrtk::hands::foreign_hands(broken.armature, broken.found).joints.empty());
}
