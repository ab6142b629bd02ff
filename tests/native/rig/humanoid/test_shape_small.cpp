// SPDX-License-Identifier: MIT
// Bodies of few joints, and of joints that hang elsewhere than most: limbs of one joint, legs on hip bones,
// heads beside the arms. The skeletons are made by hand, and so are the expectations (docs/rig-maps.md).
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "catch.h"
#include "rig_find_bodies.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

using Joints = std::vector<PlacedJoint>;

rig::humanoid::FoundRig rig_in(const Joints& joints) {
    return rig::humanoid::find_rig(skeleton_of(joints), rig::humanoid::built_in_rigs()).value();
}

Found parts_in(const Joints& joints) { return slots_of(rig_in(joints), skeleton_of(joints)); }

void add_mirrored(Joints& joints, const std::string& name, const std::string& parent,
                  const glm::dvec3& head) {
    joints.push_back({name + ".L", parent, head});
    joints.push_back({name + ".R", parent, {-head.x, head.y, head.z}});
}

PlacedJoint& joint_called(Joints& joints, const std::string& name) {
    return *std::ranges::find(joints, name, &PlacedJoint::name);
}

}  // namespace

TEST_CASE("arms and legs that are called so may be uneven, and hang on one joint", "[shape]") {
    Joints joints = {{"Chest", "", {0, 0, 1}}, {"Head", "Chest", {0, 0, 1.9}}};
    add_mirrored(joints, "Arm", "Chest", {0.4, 0, 1.8});
    add_mirrored(joints, "Leg", "Chest", {0.13, 0, 0.93});
    joint_called(joints, "Leg.R").head.x = -0.17;
    joints.push_back({"Weapon", "Arm.R", {-0.4, 0, 1}});
    const Found found = parts_in(joints);
    CHECK(found == Found{{"hips", "Chest"},
                         {"head", "Head"},
                         {"leftUpperArm", "Arm.L"},
                         {"rightUpperArm", "Arm.R"},
                         {"leftUpperLeg", "Leg.L"},
                         {"rightUpperLeg", "Leg.R"}});
    SECTION("also in a file that lies on its back") {
        add_mirrored(joints, "Foot", "Leg.L", {0.13, 0, 0.1});
        joint_called(joints, "Foot.R").parent = "Leg.R";
        for (PlacedJoint& joint : joints) {
            joint.head = {joint.head.x, -joint.head.z, joint.head.y};
        }
        const Found lying = parts_in(joints);
        CHECK(lying.at("head") == "Head");
        CHECK(lying.at("leftUpperLeg") == "Leg.L");
        CHECK(lying.at("leftFoot") == "Foot.L");
        CHECK_FALSE(lying.contains("leftLowerLeg"));
        CHECK(rig_in(joints).looks_like.empty());
    }
}

TEST_CASE("a leg of one bone ends at the foot if that is at the ground", "[shape]") {
    Joints joints = {{"a", "", {0, 0, 1}}, {"b", "a", {0, 0, 1.4}}, {"c", "b", {0, 0, 1.6}}};
    add_mirrored(joints, "arm", "b", {0.2, 0, 1.4});
    add_mirrored(joints, "lower", "arm.L", {0.5, 0, 1.4});
    joint_called(joints, "lower.R").parent = "arm.R";
    add_mirrored(joints, "p", "a", {0.1, 0, 0.9});
    add_mirrored(joints, "q", "p.L", {0.1, 0, 0.05});
    joint_called(joints, "q.R").parent = "p.R";
    CHECK(parts_in(joints).at("leftFoot") == "q.L");
    SECTION("else at the knee") {
        joint_called(joints, "q.L").head.z = joint_called(joints, "q.R").head.z = 0.5;
        CHECK(parts_in(joints).at("leftLowerLeg") == "q.L");
    }
}

TEST_CASE("bones of the hips are no part of the legs' length", "[shape]") {
    Joints joints = {{"a", "", {0, 0, 4}}, {"b", "a", {0, 0, 6}}, {"c", "b", {0, 0, 8}}};
    for (const auto& [side, x] : std::map<std::string, double>{{"L", 1.0}, {"R", -1.0}}) {
        joints.push_back({"arm." + side, "b", {2 * x, 0, 7.5}});
        joints.push_back({"lower." + side, "arm." + side, {4.5 * x, 0, 7.5}});
        joints.push_back({"hand." + side, "lower." + side, {7 * x, 0, 7.5}});
        joints.push_back({"i." + side, "", {0, 0, 4}});
        joints.push_back({"j." + side, "i." + side, {2 * x, 0, 4.7}});
        joints.push_back({"k." + side, "j." + side, {1.9 * x, 0, 2}});
    }
    const Found found = parts_in(joints);
    REQUIRE(found.contains("hips"));
    CHECK(found.at("hips") == "a");
    CHECK(found.at("leftUpperLeg") == "j.L");
    CHECK(found.at("leftLowerLeg") == "k.L");
}

TEST_CASE("a head may hang beside the joint of the arms", "[shape]") {
    Joints joints = mixamo_body();
    std::erase_if(joints, [](const PlacedJoint& joint) { return joint.name == "Neck"; });
    joint_called(joints, "Head").parent = "Spine1";
    const auto names = node_names(joints);
    const Found found = parts_in(renamed(joints, names));
    REQUIRE(found.contains("head"));
    CHECK(found.at("head") == names.at("Head"));
    SECTION("a leaf above the shoulders is none if the head is where it should be") {
        Joints whole = mixamo_body();
        whole.push_back({"plate", "Spine1", {0, 0, 1.9}});
        CHECK(parts_in(whole).at("head") == "Head");
        CHECK(parts_in(whole).at("neck") == "Neck");
    }
    SECTION("one of two horns is none") {
        Joints beast = mixamo_body();
        std::erase_if(beast, [](const PlacedJoint& joint) { return joint.name == "Head"; });
        std::erase_if(beast, [](const PlacedJoint& joint) { return joint.name == "Neck"; });
        for (const double x : {-0.2, 0.2}) {
            beast.push_back({"horn" + std::to_string(beast.size()), "Spine2", {x, 0, 1.8}});
        }
        CHECK(rig_in(renamed(beast, node_names(beast))).looks_like == "no head above its arms");
    }
}

TEST_CASE("a shoulder is an upper arm or above one: the shape says which", "[shape]") {
    std::map<std::string, std::string> names;
    Joints joints = mixamo_body();
    for (const auto& [side, letter] : std::map<std::string, std::string>{{"Left", "L"}, {"Right", "R"}}) {
        joint_called(joints, side + "Shoulder").head.x *= 3;
        names[side + "Shoulder"] = letter + "_shoulder";
        names[side + "Arm"] = letter + "_hand_1";
        names[side + "ForeArm"] = letter + "_hand_2";
        names[side + "Hand"] = letter + "_hand_3";
        names[side + "UpLeg"] = letter + "_foot_1";
        names[side + "Leg"] = letter + "_foot_2";
        names[side + "Foot"] = letter + "_foot_3";
        names[side + "ToeBase"] = letter + "_foot_4";
    }
    const Found found = parts_in(renamed(joints, names));
    CHECK(found.at("leftShoulder") == "L_shoulder");
    CHECK(found.at("leftUpperArm") == "L_hand_1");
    CHECK(found.at("rightLowerArm") == "R_hand_2");
}

TEST_CASE("names may leave no joint for a lower arm", "[shape]") {
    Joints joints = {{"spine", "", {0, 0, 1}},
                     {"spine.001", "spine", {0, 0, 1.1}},
                     {"spine.002", "spine.001", {0, 0, 1.2}},
                     {"spine.003", "spine.002", {0, 0, 1.3}},
                     {"spine.004", "spine.003", {0, 0, 1.5}},
                     {"spine.006", "spine.004", {0, 0, 1.6}}};
    for (const auto& [side, x] : std::map<std::string, double>{{".L", 1.0}, {".R", -1.0}}) {
        joints.push_back({"thigh" + side, "spine", {0.1 * x, 0, 0.95}});
        joints.push_back({"shin" + side, "thigh" + side, {0.1 * x, 0, 0.5}});
        joints.push_back({"foot" + side, "shin" + side, {0.1 * x, 0, 0.08}});
        joints.push_back({"shoulder" + side, "spine.003", {0.03 * x, 0, 1.45}});
        joints.push_back({"upper_arm" + side, "shoulder" + side, {0.3 * x, 0, 1.45}});
        joints.push_back({"hand" + side, "upper_arm" + side, {0.6 * x, 0, 1.45}});
        for (const std::string finger : {"thumb", "f_index", "f_middle", "f_ring"}) {
            const double y = 0.02 * static_cast<double>(joints.size() % 4);
            joints.push_back({finger + ".01" + side, "hand" + side, {0.75 * x, y, 1.45}});
            joints.push_back({finger + ".02" + side, finger + ".01" + side, {0.8 * x, y, 1.45}});
        }
    }
    const Found found = parts_in(joints);
    CHECK(found.at("leftShoulder") == "shoulder.L");
    CHECK(found.at("leftUpperArm") == "upper_arm.L");
    CHECK(found.at("leftHand") == "hand.L");
    CHECK_FALSE(found.contains("leftLowerArm"));
}

TEST_CASE("an end in capitals is an end", "[find-rig]") {
    const Found found =
        parts_in(renamed(mixamo_body(), {{"LeftToeBase", "LeftFootEND"}, {"RightToeBase", "RightFootEND"}}));
    CHECK(found.at("leftFoot") == "LeftFoot");
    CHECK_FALSE(found.contains("leftToes"));
}

TEST_CASE("joints that move a mesh come before controls with their names", "[find-rig]") {
    Joints joints;
    for (const std::string prefix : {"Character1_", "Ctrl:"}) {
        for (PlacedJoint joint : mixamo_body()) {
            joint.name = prefix + joint.name;
            joint.parent = joint.parent.empty() ? "" : prefix + joint.parent;
            joints.push_back(joint);
        }
    }
    Skeleton skeleton = skeleton_of(joints);
    for (Node& node : skeleton.nodes) {
        node.is_idle = node.name.starts_with("Ctrl:");
    }
    const auto rig = rig::humanoid::find_rig(skeleton, rig::humanoid::built_in_rigs()).value();
    const Found found = slots_of(rig, skeleton);
    CHECK(found.at("hips") == "Character1_Hips");
    CHECK(found.at("leftLowerArm") == "Character1_LeftForeArm");
}

TEST_CASE("hips may be behind the legs that hang on them", "[shape]") {
    Joints joints = mixamo_body();
    joint_called(joints, "Hips").head = {0, 0.5, 1};
    const auto names = node_names(joints);
    const Found found = parts_in(renamed(joints, names));
    CHECK(found.at("hips") == names.at("Hips"));
    CHECK(found.at("spine") == names.at("Spine"));
    SECTION("a root at the ground is not the hips") {
        Joints standing = joints;
        joint_called(standing, "Hips").head = {0, 0, 0};
        CHECK(parts_in(renamed(standing, names)).at("hips") == names.at("Spine"));
    }
}

TEST_CASE("a thigh that is raised points forward", "[shape]") {
    Joints joints = mixamo_body();
    std::erase_if(joints, [](const PlacedJoint& joint) {
        return joint.name.ends_with("Foot") || joint.name.ends_with("ToeBase");
    });
    joint_called(joints, "LeftForeArm").head.y = 0.02;
    joint_called(joints, "RightForeArm").head.y = 0.02;
    joint_called(joints, "LeftLeg").head = {0.1, -0.35, 0.7};
    CHECK(parts_in(joints).at("leftUpperArm") == "LeftArm");
    std::map<std::string, std::string> other_side;
    for (const PlacedJoint& joint : joints) {
        if (joint.name.starts_with("Left")) {
            other_side[joint.name] = "Right" + joint.name.substr(4);
            other_side["Right" + joint.name.substr(4)] = joint.name;
        }
    }
    const Joints swapped = renamed(joints, other_side);
    CHECK(parts_in(swapped).at("leftUpperArm") == "RightArm");
    CHECK(rig_in(swapped).swaps_sides);
}

TEST_CASE("a long foot is no shin", "[shape]") {
    Joints joints = mixamo_body();
    for (const std::string side : {"Left", "Right"}) {
        const double x = side == "Left" ? 0.2 : -0.2;
        joint_called(joints, side + "UpLeg").head = {x, 0, 0.95};
        joint_called(joints, side + "Leg").head = {x, -0.01, 0.79};
        joint_called(joints, side + "Foot").head = {x, 0, 0.66};
        joint_called(joints, side + "ToeBase").head = {x, -0.27, 0.53};
    }
    const auto names = node_names(joints);
    const Found found = parts_in(renamed(joints, names));
    CHECK(found.at("leftLowerLeg") == names.at("LeftLeg"));
    CHECK(found.at("leftFoot") == names.at("LeftFoot"));
}

TEST_CASE("a leg that goes on below the foot has no toes there", "[shape]") {
    Joints joints = mixamo_body();
    for (const std::string side : {"Left", "Right"}) {
        const double x = side == "Left" ? 0.1 : -0.1;
        joint_called(joints, side + "Leg").head = {x, 0, 0.6};
        joint_called(joints, side + "Foot").head = {x, 0, 0.28};
        joint_called(joints, side + "ToeBase").head = {x, 0, 0.04};
    }
    const auto names = node_names(joints);
    const Found found = parts_in(renamed(joints, names));
    CHECK(found.at("leftLowerLeg") == names.at("LeftLeg"));
    CHECK_FALSE(found.contains("leftToes"));
}

TEST_CASE("joints of neither side may be called so", "[find-rig]") {
    Joints joints = {{"root.x", "", {0, 0, 1}}};
    for (int i = 1; i <= 5; ++i) {
        const std::string name = "spine_0" + std::to_string(i) + ".x";
        joints.push_back({name, joints.back().name, {0, 0, 1 + 0.08 * i}});
    }
    // By its places alone, the last joint is a crown.
    joints.push_back({"c_subneck_1.x", "spine_05.x", {0, 0, 1.48}});
    joints.push_back({"neck.x", "c_subneck_1.x", {0, 0, 1.54}});
    joints.push_back({"head.x", "neck.x", {0, 0, 1.57}});
    for (const auto& [side, x] : std::map<std::string, double>{{".l", 1.0}, {".r", -1.0}}) {
        joints.push_back({"thigh_stretch" + side, "root.x", {0.1 * x, 0, 0.95}});
        joints.push_back({"leg_stretch" + side, "thigh_stretch" + side, {0.1 * x, 0, 0.5}});
        joints.push_back({"foot" + side, "leg_stretch" + side, {0.1 * x, 0, 0.08}});
        joints.push_back({"toes_01" + side, "foot" + side, {0.1 * x, -0.12, 0.02}});
        joints.push_back({"shoulder" + side, "spine_05.x", {0.05 * x, 0, 1.45}});
        joints.push_back({"arm_stretch" + side, "shoulder" + side, {0.2 * x, 0, 1.45}});
        joints.push_back({"forearm_stretch" + side, "arm_stretch" + side, {0.45 * x, 0, 1.45}});
        joints.push_back({"hand" + side, "forearm_stretch" + side, {0.7 * x, 0, 1.45}});
    }
    const Found found = parts_in(joints);
    CHECK(found.at("hips") == "root.x");
    CHECK(found.at("upperChest") == "spine_05.x");
    CHECK(found.at("neck") == "neck.x");
    CHECK(found.at("head") == "head.x");
}

TEST_CASE("arms and legs that are called so are no person's below a spine that lies flat", "[shape]") {
    Joints joints = {{"Body", "", {0, 0, 1}}, {"Head", "Body", {0, -2, 1}}};
    for (const auto& [side, x] : std::map<std::string, double>{{"L", 0.2}, {"R", -0.2}}) {
        for (const auto& [limb, y] : std::map<std::string, double>{{"Arm", -0.7}, {"Leg", 0.7}}) {
            const double down = limb == "Leg" ? 0.4 : 0.2;
            joints.push_back({limb + "Upper." + side, "Body", {x, y, 1}});
            joints.push_back({limb + "Lower." + side, limb + "Upper." + side, {x, y + 0.6, 1 - down}});
            joints.push_back({limb + "End." + side, limb + "Lower." + side, {x, y + 1.2, 1 - 2 * down}});
        }
    }
    CHECK(rig_in(joints).looks_like == "a spine that lies flat");
}

TEST_CASE("a pair of arms in the place of the legs is an insect's", "[shape]") {
    std::map<std::string, std::string> names;
    for (const std::string side : {"Left", "Right"}) {
        const std::string letter = side.substr(0, 1);
        names[side + "Arm"] = "B_" + letter + "_Arm1";
        names[side + "ForeArm"] = "B_" + letter + "_Wrist1";
        names[side + "Hand"] = "B_" + letter + "_Claw1";
        names[side + "UpLeg"] = "B_" + letter + "_Arm3";
        names[side + "Leg"] = "B_" + letter + "_Wrist3";
        names[side + "Foot"] = "B_" + letter + "_Claw3";
    }
    CHECK(rig_in(renamed(mixamo_body(), names)).looks_like == "arms in place of legs");
}

TEST_CASE("what is called arms is no neck, and fingers are no hand", "[shape]") {
    std::map<std::string, std::string> names = {{"Neck", "Arms"}};
    for (const std::string side : {"Left", "Right"}) {
        names[side + "Hand"] = "Fingers_" + side.substr(0, 1);
        names[side + "Arm"] = "bone_a_" + side.substr(0, 1);
        names[side + "ForeArm"] = "bone_b_" + side.substr(0, 1);
    }
    const Found found = parts_in(renamed(mixamo_body(), names));
    CHECK(found.at("head") == "Head");
    CHECK(found.at("leftUpperArm") == "bone_a_L");
    CHECK_FALSE(found.contains("neck"));
    CHECK_FALSE(found.contains("leftHand"));
}

TEST_CASE("a head on a spine beside the joint of the arms", "[shape]") {
    Joints joints = mixamo_body();
    const glm::dvec3 at = joint_called(joints, "Spine2").head;
    joints.insert(joints.begin() + 1, {"torso_control", "Hips", at});
    for (const char* shoulder : {"LeftShoulder", "RightShoulder"}) {
        joint_called(joints, shoulder).parent = "torso_control";
    }
    const rig::humanoid::FoundRig rig = rig_in(renamed(joints, node_names(joints)));
    CHECK(rig.looks_like.empty());
}

TEST_CASE("legs that are bent above a long foot carry a person", "[shape]") {
    Joints joints = {{"a", "", {0, 0, 1.3}}, {"b", "a", {0, 0, 2}}, {"c", "b", {0, 0, 4}}};
    for (const auto& [side, x] : std::map<std::string, double>{{"L", 1.0}, {"R", -1.0}}) {
        joints.push_back({"u." + side, "b", {1.2 * x, 0, 2.4}});
        joints.push_back({"v." + side, "u." + side, {1.6 * x, 0, 1.9}});
        joints.push_back({"w." + side, "v." + side, {1.9 * x, 0, 1.5}});
        joints.push_back({"p." + side, "a", {0.5 * x, 0, 1.3}});
        joints.push_back({"q." + side, "p." + side, {0.5 * x, -0.4, 0.7}});
        joints.push_back({"r." + side, "q." + side, {0.5 * x, 0.6, 0.2}});
        joints.push_back({"s." + side, "r." + side, {0.5 * x, -0.4, 0.2}});
    }
    CHECK(rig_in(joints).looks_like.empty());
    CHECK(parts_in(joints).contains("leftUpperLeg"));
}

TEST_CASE("a joint that is called neck is none of the spine", "[shape]") {
    Joints joints = mixamo_body();
    const Found found =
        parts_in(renamed(joints, {{"Spine2", "loneck"}, {"Spine1", "top"}, {"Spine", "low"}}));
    for (const char* slot : {"spine", "chest", "upperChest"}) {
        CHECK((!found.contains(slot) || found.at(slot) != "loneck"));
    }
}

TEST_CASE("what all names begin with says nothing", "[shape]") {
    for (const std::string prefix : {"Armature_Bone_", "Armor_", "Footman_", "HeadlessKnight_", "Wing_"}) {
        std::map<std::string, std::string> names;
        Joints joints = mixamo_body();
        for (const PlacedJoint& joint : joints) {
            names[joint.name] = prefix + std::to_string(100 + names.size());
        }
        joint_called(joints, "Hips").parent = "RootNode";
        joints.insert(joints.begin(), {"RootNode", "", {0, 0, 0}});
        const rig::humanoid::FoundRig rig = rig_in(renamed(joints, names));
        CAPTURE(prefix);
        CHECK(rig.looks_like.empty());
        for (const auto& [slot, joint] : std::map<std::string, std::string>{
                 {"hips", "Hips"}, {"neck", "Neck"}, {"head", "Head"}, {"leftUpperArm", "LeftArm"}}) {
            const auto found = rig.joint_of(slot);
            REQUIRE(found);
            CHECK(skeleton_of(renamed(joints, names)).nodes[*found].name == names.at(joint));
        }
    }
}

TEST_CASE("feet that cross in a step keep their slots", "[shape]") {
    Joints joints = mixamo_body();
    for (const auto& [name, x] : std::map<std::string, double>{
             {"LeftFoot", -0.1}, {"LeftToeBase", -0.1}, {"RightFoot", 0.1}, {"RightToeBase", 0.1}}) {
        joint_called(joints, name).head.x = x;
    }
    const Found found = parts_in(joints);
    CHECK(found.at("leftFoot") == "LeftFoot");
    CHECK(found.at("rightToes") == "RightToeBase");
    CHECK(rig_in(joints).warnings.empty());
}

TEST_CASE("most joints of a bird may be wings", "[shape]") {
    Joints joints = mixamo_body();
    for (const std::string side : {"Left", "Right"}) {
        for (int feather = 0; feather < 20; ++feather) {
            joints.push_back({side + "Hand" + std::to_string(feather),
                              side + "Hand",
                              {side == "Left" ? 0.8 : -0.8, 0.01 * feather, 1.4}});
        }
    }
    std::map<std::string, std::string> names;
    for (const PlacedJoint& joint : joints) {
        if (joint.name.find("Arm") != std::string::npos || joint.name.find("Hand") != std::string::npos) {
            names[joint.name] = "wing_" + std::to_string(names.size());
        }
    }
    REQUIRE(names.size() * 3 > joints.size() * 2);
    CHECK(rig_in(renamed(joints, names)).looks_like == "wings in place of arms");
}

TEST_CASE("a chest that carries both arms keeps its name although the neck hangs lower", "[shape]") {
    Joints joints = mixamo_body();
    joint_called(joints, "Neck").parent = "Spine1";
    const Found found = parts_in(joints);
    CHECK(found.at("upperChest") == "Spine2");
    CHECK(found.at("head") == "Head");
}
