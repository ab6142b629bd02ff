// SPDX-License-Identifier: MIT
// Hands that are found by names, in armatures and in clips: where their joints are is known, because the
// bones are those of flat hands.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "catch.h"
#include "formats/mrtk/file/file.h"
#include "formats/mrtk/hands/hands.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// VRM's names of a hand's joints without its side; "": VRM has none.
constexpr std::array<const char*, mrtk::file::joint_count> vrm_joints = {"",
                                                                         "Hand",
                                                                         "",
                                                                         "ThumbMetacarpal",
                                                                         "ThumbProximal",
                                                                         "ThumbDistal",
                                                                         "",
                                                                         "",
                                                                         "IndexProximal",
                                                                         "IndexIntermediate",
                                                                         "IndexDistal",
                                                                         "",
                                                                         "",
                                                                         "MiddleProximal",
                                                                         "MiddleIntermediate",
                                                                         "MiddleDistal",
                                                                         "",
                                                                         "",
                                                                         "RingProximal",
                                                                         "RingIntermediate",
                                                                         "RingDistal",
                                                                         "",
                                                                         "",
                                                                         "LittleProximal",
                                                                         "LittleIntermediate",
                                                                         "LittleDistal",
                                                                         ""};

const std::array<glm::dvec3, 2> wrist_places = {{{-0.2, 0.3, 1.1}, {0.2, 0.3, 1.1}}};

/// Two hands whose joints have odd names, and the rig file that identifies them.
struct OddHands {
    Skeleton skeleton{};
    std::string rig = R"({"animbridge_rig": 1, "id": "odd", "title": "Odd", "slots": {)";

    explicit OddHands(std::size_t joints_on_the_right = mrtk::file::joint_count) {
        for (std::size_t hand = 0; hand < mrtk::file::hand_count; ++hand) {
            const auto flat = mrtk::hands::flat_hand(hand);
            const std::size_t wrist = skeleton.nodes.size();
            for (std::size_t joint = mrtk::file::wrist; joint < mrtk::file::joint_count; ++joint) {
                const std::string slot = vrm_joints.at(joint);
                if (slot.empty() || (hand == 1 && joint >= joints_on_the_right)) {
                    continue;
                }
                const std::string name = "odd" + std::to_string(skeleton.nodes.size());
                rig += (skeleton.nodes.empty() ? "\"" : ", \"") +
                       std::string(mrtk::file::hand_names.at(hand)) + slot + "\": [\"" + name + "\"]";
                Node node{name};
                node.rest_local.translation =
                    joint == mrtk::file::wrist
                        ? wrist_places.at(hand)
                        : flat.at(joint).translation - flat.at(mrtk::file::wrist).translation;
                if (joint != mrtk::file::wrist) {
                    node.parent = wrist;
                }
                skeleton.nodes.push_back(node);
            }
        }
        rig += "}}";
    }

    [[nodiscard]] rig::armature::Armature armature() const {
        rig::armature::Armature made;
        for (const Node& node : skeleton.nodes) {
            Transform rest = node.rest_local;
            if (node.parent) {
                rest = skeleton.nodes[*node.parent].rest_local * rest;
            }
            made.bones.push_back({node.name, node.parent, rest});
        }
        return made;
    }
};

/// The wrist turns about Z by this from 0 to 1 s, which is an arc for every other joint.
constexpr double quarter_turn_degrees = 90.0;

Clip turning(const OddHands& hands) {
    Clip clip{hands.skeleton, {}, {}, 1.0};
    Track track{0, Channel::rotation};
    track.add_key(0.0, std::array{1.0, 0.0, 0.0, 0.0});
    const double half = quarter_turn_degrees / 2.0 * std::acos(-1.0) / 180.0;
    track.add_key(1.0, std::array{std::cos(half), 0.0, 0.0, std::sin(half)});
    clip.tracks.push_back(track);
    return clip;
}

}  // namespace

TEST_CASE("a clip's hands are posed in the world, with keys on the arcs", "[mrtk-found-hands]") {
    const OddHands hands;
    const auto found = mrtk::hands::clip_of_found_hands(turning(hands), hands.rig);
    REQUIRE(found);
    CHECK(found->hands.warnings.empty());
    const Clip& clip = found->clip;
    REQUIRE(clip.skeleton.nodes.size() == 52);
    const auto flat = mrtk::hands::flat_hand(0);
    for (const Track& track : clip.tracks) {
        const auto pose = mrtk::file::pose_named(clip.skeleton.nodes[track.node].name);
        REQUIRE(pose);
        const std::size_t joint = mrtk::file::joint_of(*pose);
        const bool is_known = !std::string(vrm_joints.at(joint)).empty();
        if (track.channel != Channel::translation || mrtk::file::hand_of(*pose) != 0 || !is_known) {
            continue;
        }
        REQUIRE(track.key_count() == 121);  // lines of at most 1/120 s
        for (std::size_t key = 0; key < track.key_count(); ++key) {
            // Between keys, a clip's quaternions follow lines, and are normalised.
            const double half = quarter_turn_degrees / 2.0 * std::acos(-1.0) / 180.0;
            const double share = track.times[key];
            const double angle =
                2.0 * std::atan2(share * std::sin(half), 1.0 - share + share * std::cos(half));
            const glm::dvec3 from = flat.at(joint).translation - flat.at(mrtk::file::wrist).translation;
            const glm::dvec3 turned{std::cos(angle) * from.x - std::sin(angle) * from.y,
                                    std::sin(angle) * from.x + std::cos(angle) * from.y, from.z};
            CHECK(glm::length(track.translation(key) - (wrist_places[0] + turned)) < 1e-9);
        }
    }
}

TEST_CASE("what a rig lacks is said", "[mrtk-found-hands]") {
    const OddHands hands;
    const auto found = mrtk::hands::found_hands(hands.armature(), hands.rig, {});
    REQUIRE(found);
    CHECK(found->report["missing"].empty());
    // Tips, the four fingers' metacarpals and the palm, of both hands.
    CHECK(found->report["placed"].size() == 2 * (5 + 4 + 1));
    CHECK(found->report["bones"]["L_Wrist"] == "odd0");

    // The wrist, the thumb and the index finger of the right hand: two knuckles are not enough.
    const OddHands partial(16);
    const auto left = mrtk::hands::found_hands(partial.armature(), partial.rig, {});
    REQUIRE(left);
    CHECK(left->joints.size() == 26 + 2 + 4 + 5 + 5);
    const OddHands less(9);
    const auto alone = mrtk::hands::found_hands(less.armature(), less.rig, {});
    REQUIRE(alone);
    CHECK(alone->joints.size() == 26);
    CHECK(alone->report["missing"].size() == 26);
    REQUIRE(!alone->warnings.empty());
    CHECK(alone->warnings.back().find("right hand") != std::string::npos);
}

TEST_CASE("a hand of which under half is there is left out", "[mrtk-found-hands]") {
    OddHands hands;
    // The right hand keeps its wrist, all knuckles, and one whole finger.
    std::erase_if(hands.skeleton.nodes, [](const Node& node) {
        const int number = std::stoi(node.name.substr(3));
        return number > 16 && (number - 16 < 4 || (number - 16 > 6 && (number - 16) % 3 != 1));
    });
    const auto found = mrtk::hands::found_hands(hands.armature(), hands.rig, {});
    REQUIRE(found);
    CHECK(found->joints.size() == 26);
    REQUIRE(!found->warnings.empty());
    CHECK(found->warnings.back().find("of its 26 joints were found") != std::string::npos);
}

TEST_CASE("the tip is at a tail that goes on", "[mrtk-found-hands]") {
    const OddHands hands;
    const rig::armature::Armature armature = hands.armature();
    std::vector<glm::dvec3> tails;
    for (const rig::armature::Bone& bone : armature.bones) {
        tails.push_back(bone.rest.translation + glm::dvec3(0.002, 0.018, 0.001));
    }
    const auto tip_of = [&](const mrtk::hands::FoundHands& found) {
        for (const mrtk::hands::ForeignJoint& joint : found.joints) {
            if (mrtk::file::pose_name(joint.pose) == "L_MiddleTip") {
                return (armature.bones[joint.bone].rest * joint.local).translation;
            }
        }
        return glm::dvec3(0);
    };
    const auto with = mrtk::hands::found_hands(armature, hands.rig, tails);
    REQUIRE(with);
    const glm::dvec3 distal = armature.bones[*hands.skeleton.find("odd9")].rest.translation;
    CHECK(glm::length(tip_of(*with) - (distal + glm::dvec3(0.002, 0.018, 0.001))) < 1e-12);
    for (glm::dvec3& tail : tails) {
        tail += glm::dvec3(0.0, 0.2, 0.0);  // ten times as long as a fingertip
    }
    const auto far_off = mrtk::hands::found_hands(armature, hands.rig, tails);
    REQUIRE(far_off);
    const double flat =
        mrtk::hands::flat_hand(0)[16].translation.y - mrtk::hands::flat_hand(0)[15].translation.y;
    CHECK(std::abs(tip_of(*far_off).y - distal.y - flat) < 1e-4);
}

TEST_CASE("armatures without hands and wrong rig files are refused", "[mrtk-found-hands]") {
    const OddHands hands;
    const auto none = mrtk::hands::found_hands(hands.armature(), "", {});
    REQUIRE(!none);
    CHECK(none.error().code == ErrorCode::invalid_argument);
    CHECK(none.error().reason.find("rig file") != std::string::npos);
    CHECK(!mrtk::hands::found_hands({}, "", {}));
    CHECK(!mrtk::hands::clip_of_found_hands({}, ""));
    const auto wrong = mrtk::hands::found_hands(hands.armature(), "{}", {});
    REQUIRE(!wrong);
    CHECK(wrong.error().code == ErrorCode::bad_value);
    const std::vector<glm::dvec3> one_tail(1);
    const auto tails = mrtk::hands::found_hands(hands.armature(), hands.rig, one_tail);
    REQUIRE(!tails);
    CHECK(tails.error().field == "tails");
}
