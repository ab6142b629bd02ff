// SPDX-License-Identifier: MIT
// Bodies that are found by their shape, whatever their names are. The skeletons are made by hand, and so are
// the expectations (docs/rig-maps.md).
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>

#include "catch.h"
#include "rig_find_bodies.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

using Joints = std::vector<PlacedJoint>;

rig::humanoid::FoundRig shape_of(const Skeleton& skeleton) {
    return rig::humanoid::find_rig(skeleton, rig::humanoid::built_in_rigs()).value();
}

/// A body with fingers whose knees and elbows are slightly bent. `lowered`: the arms' angle below the
/// horizontal.
Joints person(double lowered_degrees = 0) {
    Joints joints = mixamo_body();
    for (const std::string side : {"Left", "Right"}) {
        const double x = side == "Left" ? 1 : -1;
        const auto add_finger = [&](const std::string& name, double y, double length) {
            std::string above = side + "Hand";
            const double first = name == "Thumb" ? 0.02 : 0.09;
            for (int i = 1; i <= 3; ++i) {
                const double along = first + (i - 1) * length;
                const double ahead = name == "Thumb" ? y - 0.8 * along : y;
                std::string own = side + "Hand";
                own += name + std::to_string(i);
                joints.push_back({own, above, {x * (0.7 + along), ahead, 1.45}});
                above = joints.back().name;
            }
        };
        add_finger("Thumb", -0.02, 0.03);
        add_finger("Index", -0.03, 0.035);
        add_finger("Middle", -0.01, 0.04);
        add_finger("Ring", 0.01, 0.035);
        add_finger("Pinky", 0.03, 0.03);
    }
    const double c = std::cos(lowered_degrees * std::numbers::pi / 180);
    const double s = std::sin(lowered_degrees * std::numbers::pi / 180);
    for (PlacedJoint& joint : joints) {
        joint.head.y += joint.name == "LeftLeg" || joint.name == "RightLeg" ? -0.02
                        : joint.name.ends_with("ForeArm")                   ? 0.02
                                                                            : 0;
        const double along = std::abs(joint.head.x) - 0.2;
        if (along > 0) {
            joint.head.x = std::copysign(0.2 + c * along, joint.head.x);
            joint.head.z -= s * along;
        }
    }
    return joints;
}

/// The same joints, called node.N.
Joints nameless(const Joints& joints) { return renamed(joints, node_names(joints)); }

Joints moved(Joints joints, const std::function<glm::dvec3(const glm::dvec3&)>& move) {
    for (PlacedJoint& joint : joints) {
        joint.head = move(joint.head);
    }
    return joints;
}

/// Children in the opposite order, parents first.
Joints shuffled(const Joints& joints) {
    Joints ordered;
    std::vector<std::string> waiting = {""};
    while (!waiting.empty()) {
        const std::string parent = waiting.back();
        waiting.pop_back();
        for (const PlacedJoint& joint : joints) {
            if (joint.name == parent) {
                ordered.push_back(joint);
            }
            if (joint.parent == parent) {
                waiting.push_back(joint.name);
            }
        }
    }
    return ordered;
}

const std::vector<std::pair<std::string, std::string>>& limbs() {
    static const std::vector<std::pair<std::string, std::string>> pairs = {
        {"LeftArm", "LeftForeArm"}, {"LeftForeArm", "LeftHand"},  {"LeftUpLeg", "LeftLeg"},
        {"LeftLeg", "LeftFoot"},    {"RightArm", "RightForeArm"}, {"RightForeArm", "RightHand"},
        {"RightUpLeg", "RightLeg"}, {"RightLeg", "RightFoot"}};
    return pairs;
}

PlacedJoint joint_of(const Joints& joints, const std::string& name) {
    return *std::find_if(joints.begin(), joints.end(),
                         [&](const PlacedJoint& joint) { return joint.name == name; });
}

/// A twist joint half-way along each limb: a leaf beside the next joint, or the parent of it.
Joints with_twists(Joints joints, bool inline_twists) {
    for (const auto& [above, below] : limbs()) {
        const glm::dvec3 middle = 0.5 * (joint_of(joints, above).head + joint_of(joints, below).head);
        const auto at = std::find_if(joints.begin(), joints.end(),
                                     [name = below](const PlacedJoint& joint) { return joint.name == name; });
        if (inline_twists) {
            at->parent = above + "Twist";
        }
        joints.insert(at, {above + "Twist", above, middle});
    }
    return joints;
}

/// The slots of the joints by their names, for the joints without names.
Found expected(const Joints& joints) {
    const Skeleton skeleton = skeleton_of(joints);
    const Skeleton without_names = skeleton_of(nameless(joints));
    Found found;
    for (const auto& [slot, name] : slots_of(shape_of(skeleton), skeleton)) {
        found[slot] = without_names.nodes[*skeleton.find(name)].name;
    }
    return found;
}

void check_nameless(const Joints& joints) {
    const Skeleton skeleton = skeleton_of(nameless(joints));
    const rig::humanoid::FoundRig rig = shape_of(skeleton);
    CHECK(rig.looks_like.empty());
    CHECK(slots_of(rig, skeleton) == expected(joints));
}

std::string looks_like(const Joints& joints) {
    const Skeleton skeleton = skeleton_of(nameless(joints));
    const rig::humanoid::FoundRig rig = shape_of(skeleton);
    CHECK(rig.slots.empty());
    return rig.looks_like;
}

/// A chain of joints at some places, below `parent`.
void add_chain(Joints& joints, const std::string& name, std::string parent,
               const std::vector<glm::dvec3>& places) {
    for (std::size_t i = 0; i < places.size(); ++i) {
        joints.push_back({name + std::to_string(i), parent, places[i]});
        parent = joints.back().name;
    }
}

void add_both(Joints& joints, const std::string& name, const std::string& parent,
              std::vector<glm::dvec3> places) {
    add_chain(joints, name + "L", parent, places);
    for (glm::dvec3& place : places) {
        place.x *= -1;
    }
    add_chain(joints, name + "R", parent, places);
}

/// Four legs below a lying spine that looks along -Y.
Joints quadruped() {
    Joints joints;
    add_chain(joints, "spine", "", {{0, 0.4, 0.8}, {0, 0.1, 0.85}, {0, -0.2, 0.85}, {0, -0.45, 0.8}});
    add_chain(joints, "neck", "spine3", {{0, -0.6, 1}, {0, -0.75, 1.1}, {0, -0.95, 1.05}});
    add_both(joints, "hind", "spine0",
             {{0.1, 0.42, 0.75}, {0.1, 0.35, 0.45}, {0.1, 0.5, 0.2}, {0.1, 0.45, 0}});
    add_both(joints, "front", "spine3",
             {{0.1, -0.45, 0.7}, {0.1, -0.4, 0.4}, {0.1, -0.42, 0.1}, {0.1, -0.5, 0}});
    add_chain(joints, "tail", "spine0", {{0, 0.5, 0.8}, {0, 0.7, 0.7}});
    return joints;
}

/// Adds the same joints on both sides of the body: a chain below "Left..." and one below "Right...".
void add_below_both(Joints& joints, const std::string& name, const std::string& part,
                    std::vector<glm::dvec3> places) {
    add_chain(joints, name + "L", "Left" + part, places);
    for (glm::dvec3& place : places) {
        place.x *= -1;
    }
    add_chain(joints, name + "R", "Right" + part, places);
}

}  // namespace

TEST_CASE("a hand is where fingers part", "[shape]") {
    SECTION("a sleeve beside the hand is longer, and parts too") {
        Joints joints = person();
        for (const double ahead : {-0.1, 0.0, 0.1}) {
            add_below_both(joints, "Sleeve" + std::to_string(joints.size()), "ForeArm",
                           {{0.6, ahead, 1.3}, {0.75, 2 * ahead, 1.1}, {0.9, 3 * ahead, 0.9}});
        }
        check_nameless(joints);
        const Skeleton skeleton = skeleton_of(joints);
        CHECK(slots_of(shape_of(skeleton), skeleton).at("leftHand") == "LeftHand");
    }
    SECTION("a thumb, and all fingers in one") {
        Joints joints = person();
        std::erase_if(joints, [](const PlacedJoint& joint) {
            return joint.name.find("Index") != std::string::npos ||
                   joint.name.find("Ring") != std::string::npos ||
                   joint.name.find("Pinky") != std::string::npos;
        });
        const Skeleton skeleton = skeleton_of(nameless(joints));
        const Skeleton named = skeleton_of(joints);
        const Found found = slots_of(shape_of(skeleton), skeleton);
        CHECK(*skeleton.find(found.at("leftHand")) == *named.find("LeftHand"));
    }
    SECTION("an arm that ends at the hand has a collar") {
        Joints joints = mixamo_body();
        // All four bones are about as long.
        for (PlacedJoint& joint : joints) {
            const double x = std::copysign(1.0, joint.head.x);
            joint.head = joint.name.ends_with("ForeArm") ? glm::dvec3(0.28 * x, 0, 1.32)
                         : joint.name.ends_with("Hand")  ? glm::dvec3(0.38 * x, 0, 1.18)
                                                         : joint.head;
        }
        check_nameless(joints);
    }
}

TEST_CASE("the head is below what marks its end", "[shape]") {
    Joints joints = person();
    SECTION("a jaw") { joints.push_back({"Jaw", "Head", {0, -0.12, 1.6}}); }
    SECTION("arms hang on the neck") {
        for (PlacedJoint& joint : joints) {
            joint.parent = joint.name.ends_with("Shoulder") ? "Neck" : joint.parent;
        }
        joints.push_back({"Mouth", "Head", {0, -0.12, 1.61}});
    }
    const Skeleton skeleton = skeleton_of(nameless(joints));
    const Skeleton named = skeleton_of(joints);
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(*skeleton.find(found.at("head")) == *named.find("Head"));
    CHECK(*skeleton.find(found.at("neck")) == *named.find("Neck"));
}

TEST_CASE("what moves no mesh is no head", "[shape]") {
    Joints joints = person();
    joints.push_back({"Dummy", "Head", {0, 0, 1.72}});
    Skeleton skeleton = skeleton_of(nameless(joints));
    skeleton.nodes.back().is_idle = true;
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(*skeleton.find(found.at("head")) == *skeleton_of(joints).find("Head"));
}

TEST_CASE("many strands of hair are no arms", "[shape]") {
    Joints joints = person();
    for (int i = 0; i < 5; ++i) {
        const double ahead = 0.05 * i;
        add_both(joints, "Hair" + std::to_string(i), "Head",
                 {{0.1, ahead, 1.7}, {0.4, ahead, 1.5}, {0.6, ahead, 1.2}, {0.7, ahead, 0.9}});
    }
    add_chain(joints, "Ribbon", "Head", {{0, 0, 1.8}, {0, 0.1, 1.9}});
    check_nameless(joints);
}

TEST_CASE("a foot that a control holds is the leg's by its name", "[shape]") {
    Joints joints = mixamo_body();
    std::erase_if(joints, [](const PlacedJoint& joint) { return joint.name.ends_with("ToeBase"); });
    for (PlacedJoint& joint : joints) {
        joint.parent = joint.name.ends_with("Foot") ? "" : joint.parent;
    }
    const Skeleton skeleton = skeleton_of(joints);
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(found.at("leftFoot") == "LeftFoot");
    CHECK(found.at("rightFoot") == "RightFoot");
    SECTION("with its toes") {
        Joints whole = joints;
        whole.push_back({"LeftToeBase", "LeftFoot", {0.1, -0.12, 0.02}});
        const Skeleton with_toes = skeleton_of(whole);
        CHECK(slots_of(shape_of(with_toes), with_toes).at("leftToes") == "LeftToeBase");
    }
    SECTION("not one that is far away") {
        for (PlacedJoint& joint : joints) {
            joint.head.y += joint.name.ends_with("Foot") ? 3 : 0;
        }
        const Skeleton other = skeleton_of(joints);
        CHECK_FALSE(slots_of(shape_of(other), other).contains("leftFoot"));
    }
}

TEST_CASE("animals with the names of a person's joints are refused", "[shape]") {
    SECTION("Biped on four legs, one of which is lifted") {
        Joints joints = quadruped();
        std::map<std::string, std::string> names = {{"spine0", "Bip01 Pelvis"}, {"spine1", "Bip01 Spine"},
                                                    {"spine2", "Bip01 Spine1"}, {"spine3", "Bip01 Spine2"},
                                                    {"neck0", "Bip01 Neck"},    {"neck1", "Bip01 Head"}};
        for (const std::string side : {"L", "R"}) {
            const std::vector<std::string> hind = {"Thigh", "Calf", "Foot", "Toe0"};
            const std::vector<std::string> front = {"Clavicle", "UpperArm", "Forearm", "Hand"};
            for (std::size_t i = 0; i < hind.size(); ++i) {
                names["hind" + side + std::to_string(i)] = "Bip01 " + side + " " + hind[i];
                names["front" + side + std::to_string(i)] = "Bip01 " + side + " " + front[i];
            }
        }
        for (PlacedJoint& joint : joints) {
            joint.head.y -= joint.name == "hindL2" ? 0.3 : joint.name == "frontR2" ? 0.2 : 0;
        }
        CHECK_FALSE(shape_of(skeleton_of(renamed(joints, names))).looks_like.empty());
    }
    SECTION("six legs that are called so") {
        Joints joints;
        add_chain(joints, "torso", "", {{0, 0, 0.4}, {0, -0.1, 0.6}, {0, -0.2, 0.8}});
        for (int i = 1; i <= 3; ++i) {
            add_both(joints, "leg" + std::to_string(i) + "_", "torso0",
                     {{0.1, 0.1 * i, 0.4}, {0.4, 0.1 * i, 0.35}, {0.7, 0.1 * i, 0.1}});
        }
        add_both(joints, "arm", "torso1", {{0.1, 0, 0.6}, {0.3, 0, 0.6}, {0.6, 0, 0.6}});
        CHECK(shape_of(skeleton_of(joints)).looks_like == "six legs");
    }
    SECTION("legs of one joint") {
        Joints joints = {{"Root", "", {0, 0, 1.7}},
                         {"Torso", "Root", {0, 0.6, 1.4}},
                         {"Neck", "Torso", {0, -0.5, 1.3}},
                         {"Head", "Neck", {0, -0.8, 1.6}}};
        for (const std::string side : {"L", "R"}) {
            const double x = side == "L" ? 0.1 : -0.1;
            joints.push_back({"Hip." + side, "Root", {x, 0.56, 0.6}});
            joints.push_back({"Shoulder." + side, "Root", {x, -0.56, 0.6}});
        }
        CHECK(shape_of(skeleton_of(joints)).looks_like == "a spine that lies flat");
    }
    SECTION("neither hips nor feet have a name") {
        Joints joints = {{"Torso", "", {0, 0.5, 1.2}},
                         {"Neck", "Torso", {0, -0.6, 1.2}},
                         {"Head", "Neck", {0, -0.9, 1.4}}};
        for (const std::string side : {"L", "R"}) {
            const double x = side == "L" ? 0.2 : -0.2;
            joints.push_back({"UpperArm." + side, "Torso", {x, -0.5, 0.9}});
            joints.push_back({"LowerArm." + side, "UpperArm." + side, {x, -0.5, 0.55}});
            joints.push_back({"UpperLeg." + side, "Torso", {x, 0.5, 0.9}});
            joints.push_back({"LowerLeg." + side, "UpperLeg." + side, {x, 0.5, 0.55}});
        }
        CHECK(shape_of(skeleton_of(joints)).looks_like == "a spine that lies flat");
    }
    SECTION("four legs of one joint, and ears") {
        Joints joints = {{"body", "", {0, 0.5, 1}},
                         {"neck", "body", {0, -0.6, 1}},
                         {"head", "neck", {0, -0.6, 1.1}},
                         {"mouth", "head", {0, -0.8, 1.8}}};
        for (const std::string side : {"left", "right"}) {
            const double x = side == "left" ? 0.2 : -0.2;
            joints.push_back({"front." + side + ".leg", "body", {x, -0.4, 0.8}});
            joints.push_back({"back." + side + ".leg", "body", {x, 0.3, 0.8}});
            joints.push_back({"ear." + side, "head", {0.7 * x, -0.6, 2}});
        }
        CHECK(shape_of(skeleton_of(joints)).looks_like == "four legs");
    }
    SECTION("wings that hang on another root") {
        Joints joints = {
            {"Chest", "", {0, 0, 0.8}}, {"Neck", "", {0, -0.4, 0.9}}, {"Head", "Neck", {0, -0.6, 0.9}}};
        add_both(joints, "Wing.", "Neck", {{0.2, -0.3, 0.9}, {0.6, -0.3, 1}, {1, -0.3, 0.9}});
        add_both(joints, "leg.", "Chest", {{0.1, 0, 0.7}, {0.1, 0, 0.4}, {0.1, 0, 0.05}});
        const std::map<std::string, std::string> names = {
            {"leg.L0", "UpperLeg.L"},   {"leg.L1", "LowerLeg.L"},  {"leg.L2", "Foot.L"},
            {"leg.R0", "UpperLeg.R"},   {"leg.R1", "LowerLeg.R"},  {"leg.R2", "Foot.R"},
            {"Wing.L0", "UpperWing.L"}, {"Wing.R0", "UpperWing.R"}};
        CHECK(shape_of(skeleton_of(renamed(joints, names))).looks_like == "wings in place of arms");
    }
    SECTION("ears are no arms") {
        Joints joints = quadruped();
        add_both(joints, "ear", "neck1", {{0.05, -0.75, 1.2}, {0.1, -0.75, 1.35}});
        CHECK(looks_like(joints) == "four legs");
    }
}

TEST_CASE("the joints of Half-Life's limbs are counted from the body outwards", "[shape]") {
    std::map<std::string, std::string> names = {{"Hips", "Bip01 Pelvis"},   {"Spine", "Bip01 Spine"},
                                                {"Spine1", "Bip01 Spine1"}, {"Spine2", "Bip01 Spine2"},
                                                {"Neck", "Bip01 Neck"},     {"Head", "Bip01 Head"}};
    for (const auto& [side, letter] : std::map<std::string, std::string>{{"Left", "L"}, {"Right", "R"}}) {
        const std::string bip = "Bip01 " + letter;
        names[side + "Shoulder"] = bip + " Arm";
        names[side + "Arm"] = bip + " Arm1";
        names[side + "ForeArm"] = bip + " Arm2";
        names[side + "Hand"] = bip + " Hand";
        names[side + "UpLeg"] = bip + " Leg";
        names[side + "Leg"] = bip + " Leg1";
        names[side + "Foot"] = bip + " Foot";
        names[side + "ToeBase"] = bip + " Toe0";
    }
    const Skeleton skeleton = skeleton_of(renamed(mixamo_body(), names));
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(found.at("leftShoulder") == "Bip01 L Arm");
    CHECK(found.at("rightUpperArm") == "Bip01 R Arm1");
    CHECK(found.at("leftHand") == "Bip01 L Hand");
    CHECK(found.at("rightLowerLeg") == "Bip01 R Leg1");
}

TEST_CASE("a body without names is found by its shape", "[shape]") {
    for (const double lowered : {0.0, 45.0, 70.0}) {
        INFO("arms lowered by " << lowered << " degrees");
        const Joints body = person(lowered);
        CHECK(expected(body).size() == 22 + 30);
        check_nameless(body);
        check_nameless(shuffled(body));
        check_nameless(with_twists(body, false));
        check_nameless(with_twists(body, true));
        check_nameless(moved(body, [](const glm::dvec3& p) { return p / 0.0254; }));
        check_nameless(moved(body, [](const glm::dvec3& p) { return glm::dvec3(-p.y, p.x, p.z); }));
        check_nameless(moved(body, [](const glm::dvec3& p) { return glm::dvec3(p.x, p.z, -p.y); }));
    }
    SECTION("the sides are those of the body") {
        const Joints body = person();
        const Joints mirror = moved(body, [](const glm::dvec3& p) { return glm::dvec3(-p.x, p.y, p.z); });
        const Skeleton skeleton = skeleton_of(nameless(body));
        const Skeleton other = skeleton_of(nameless(mirror));
        const Found found = slots_of(shape_of(skeleton), skeleton);
        const Found swapped = slots_of(shape_of(other), other);
        CHECK(swapped.at("leftHand") == found.at("rightHand"));
        CHECK(swapped.at("rightFoot") == found.at("leftFoot"));
        CHECK_THAT(shape_of(skeleton).warnings.at(0), ContainsSubstring("No name says left or right"));
    }
    SECTION("each part says how it was found") {
        const Skeleton skeleton = skeleton_of(nameless(person()));
        for (const rig::humanoid::FoundSlot& slot : shape_of(skeleton).slots) {
            CHECK(slot.by == rig::humanoid::FoundBy::shape);
            CHECK(slot.score < 1);
        }
    }
}

TEST_CASE("the shape decides what hangs where", "[shape]") {
    SECTION("hips carry both legs") {
        // As in a sample of Collada: the legs hang on the root, beside a joint that is called pelvis.
        Joints joints = renamed(mixamo_body(), {{"Hips", "root"}, {"Spine", "pelvis"}});
        const Skeleton skeleton = skeleton_of(joints);
        const Found found = slots_of(shape_of(skeleton), skeleton);
        CHECK(found.at("hips") == "root");
        CHECK(found.at("leftUpperLeg") == "LeftUpLeg");
    }
    SECTION("legs may hang on the spine, below the hips") {
        Joints joints =
            renamed(mixamo_body(),
                    {{"Hips", "Spine"}, {"Spine", "Spine1"}, {"Spine1", "Spine2"}, {"Spine2", "Spine3"}});
        joints[0].parent = "Pelvis";
        joints.insert(joints.begin(), {"Pelvis", "", {0, 0, 0.95}});
        const Skeleton skeleton = skeleton_of(joints);
        const Found found = slots_of(shape_of(skeleton), skeleton);
        CHECK(found.at("hips") == "Pelvis");
        CHECK(found.at("spine") == "Spine");
    }
    SECTION("a limb that names divide badly") {
        // Thigh names from the pelvis on: the knee is called foot.
        Joints joints = mixamo_body();
        for (const std::string side : {"Left", "Right"}) {
            joints = renamed(joints, {{side + "UpLeg", "x" + side}, {side + "Leg", side + "Knee?"}});
        }
        const Skeleton skeleton = skeleton_of(joints);
        const Found found = slots_of(shape_of(skeleton), skeleton);
        CHECK(found.at("leftUpperLeg") == "xLeft");
        CHECK(found.at("leftLowerLeg") == "LeftKnee?");
        CHECK(found.at("leftFoot") == "LeftFoot");
    }
}

TEST_CASE("an arm without a hand ends at its lower part", "[shape]") {
    Joints joints = person();
    std::erase_if(joints,
                  [](const PlacedJoint& joint) { return joint.name.find("Hand") != std::string::npos; });
    for (const bool has_names : {true, false}) {
        const Joints shown = has_names ? joints : nameless(joints);
        const Skeleton skeleton = skeleton_of(shown);
        const Skeleton named = skeleton_of(joints);
        const Found found = slots_of(shape_of(skeleton), skeleton);
        CHECK(*skeleton.find(found.at("leftLowerArm")) == *named.find("LeftForeArm"));
        CHECK(*skeleton.find(found.at("rightUpperArm")) == *named.find("RightArm"));
        CHECK(*skeleton.find(found.at("leftShoulder")) == *named.find("LeftShoulder"));
        CHECK_FALSE(found.contains("leftHand"));
    }
}

TEST_CASE("where names say left and right, the limbs may differ", "[shape]") {
    Joints joints = moved(person(), [](glm::dvec3 p) {
        p.x = p.x < -0.2 ? -0.2 + 1.22 * (p.x + 0.2) : p.x;
        return p;
    });
    std::map<std::string, std::string> names;
    for (const PlacedJoint& joint : joints) {
        const std::string side = joint.name.starts_with("Left")    ? "L"
                                 : joint.name.starts_with("Right") ? "R"
                                                                   : "";
        names[joint.name] = side + "_" + std::to_string(names.size());
    }
    const Skeleton skeleton = skeleton_of(renamed(joints, names));
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(found.at("leftUpperArm") == names.at("LeftArm"));
    CHECK(found.at("rightLowerArm") == names.at("RightForeArm"));
    CHECK_FALSE(slots_of(shape_of(skeleton_of(nameless(joints))), skeleton).contains("rightLowerArm"));
}

TEST_CASE("upper legs do not begin in one place", "[shape]") {
    Joints joints = person();
    std::erase_if(joints, [&](const PlacedJoint& joint) {
        return joint.name.ends_with("Foot") || joint.name.find("Toe") != std::string::npos;
    });
    for (const std::string side : {"Left", "Right"}) {
        const auto at =
            std::find_if(joints.begin(), joints.end(),
                         [name = side + "UpLeg"](const PlacedJoint& joint) { return joint.name == name; });
        at->parent = side + "?";
        joints.insert(at, {side + "?", "Hips", joint_of(joints, "Hips").head + glm::dvec3(0, 0, -0.05)});
    }
    const Skeleton skeleton = skeleton_of(nameless(joints));
    const Skeleton named = skeleton_of(joints);
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(*skeleton.find(found.at("leftUpperLeg")) == *named.find("LeftUpLeg"));
    CHECK(*skeleton.find(found.at("rightLowerLeg")) == *named.find("RightLeg"));
    CHECK_FALSE(found.contains("leftFoot"));
}

TEST_CASE("a second joint at the place of the hips is none", "[shape]") {
    Joints joints = person();
    joints.front().parent = "control";
    joints.insert(joints.begin(), {"control", "", joints.front().head + glm::dvec3(0, 0, -0.002)});
    check_nameless(joints);
}

TEST_CASE("limbs of two joints", "[shape]") {
    Joints joints = {{"spine", "", {0, 0, 1}}, {"head", "spine", {0, 0, 1.6}}};
    add_both(joints, "limb", "spine", {{0.1, 0, 0.9}, {0.1, 0, 0.5}});
    add_both(joints, "wing", "spine", {{0.2, 0, 1.4}, {0.5, 0, 1.4}});
    const auto found_with = [&](const std::map<std::string, std::string>& names) {
        const Skeleton skeleton = skeleton_of(renamed(joints, names));
        return slots_of(shape_of(skeleton), skeleton);
    };
    const Found found = found_with({{"limbL0", "x_l"},
                                    {"limbR0", "x_r"},
                                    {"limbL1", "shin_l"},
                                    {"limbR1", "shin_r"},
                                    {"wingL0", "y_l"},
                                    {"wingR0", "y_r"},
                                    {"wingL1", "forearm_l"},
                                    {"wingR1", "forearm_r"}});
    CHECK(found.at("leftUpperLeg") == "x_l");
    CHECK(found.at("rightUpperArm") == "y_r");
    SECTION("what hangs on the upper part may be a weapon") {
        const Found upper = found_with({{"limbL0", "thigh_l"},
                                        {"limbR0", "thigh_r"},
                                        {"limbL1", "shin_l"},
                                        {"limbR1", "shin_r"},
                                        {"wingL0", "upperarm_l"},
                                        {"wingR0", "upperarm_r"},
                                        {"wingL1", "item_l"},
                                        {"wingR1", "item_r"}});
        CHECK(upper.at("leftUpperArm") == "upperarm_l");
        CHECK_FALSE(upper.contains("leftLowerArm"));
    }
}

TEST_CASE("arms and legs of one joint are a person's", "[shape]") {
    const Joints joints = {{"root", "", {0, 0, 0}},
                           {"leg-left", "root", {0.1, 0, 0.2}},
                           {"leg-right", "root", {-0.1, 0, 0.2}},
                           {"torso", "root", {0, 0, 0.2}},
                           {"arm-left", "torso", {0.3, 0, 0.4}},
                           {"arm-right", "torso", {-0.3, 0, 0.4}},
                           {"top", "torso", {0, 0, 0.6}}};
    const Skeleton skeleton = skeleton_of(joints);
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(found.at("leftUpperArm") == "arm-left");
    CHECK(found.at("rightUpperLeg") == "leg-right");
    CHECK_FALSE(found.contains("leftHand"));
    CHECK(found.at("head") == "top");
    const Skeleton without_names = skeleton_of(nameless(joints));
    const Found by_shape = slots_of(shape_of(without_names), without_names);
    CHECK(*without_names.find(by_shape.at("head")) == *skeleton.find("top"));
    CHECK(*without_names.find(by_shape.at("hips")) == *skeleton.find("root"));
    CHECK(*without_names.find(by_shape.at("spine")) == *skeleton.find("torso"));
    CHECK(by_shape.contains("leftUpperArm"));
    CHECK(by_shape.contains("rightUpperLeg"));
    SECTION("one hand holds a bow") {
        Joints armed = joints;
        armed.push_back({"bow", "arm-right", {-0.3, 0, 0.2}});
        const Skeleton archer = skeleton_of(armed);
        CHECK(slots_of(shape_of(archer), archer).at("rightUpperArm") == "arm-right");
    }
    SECTION("not if all hang on one joint, as an animal's do") {
        Joints animal = joints;
        for (PlacedJoint& joint : animal) {
            joint.parent = joint.name.starts_with("arm") ? "root" : joint.parent;
        }
        CHECK(shape_of(skeleton_of(nameless(animal))).slots.empty());
        CHECK(slots_of(shape_of(skeleton_of(animal)), skeleton_of(animal)).at("hips") == "root");
    }
    SECTION("short bones to the legs say nothing of the legs' length") {
        const Joints small = {{"control", "", {0, 0, 0.401}},    {"body", "control", {0, 0, 0.4}},
                              {"leg-l", "body", {0.02, 0, 0.4}}, {"leg-r", "body", {-0.02, 0, 0.4}},
                              {"arm-l", "body", {0.1, 0, 0.8}},  {"arm-r", "body", {-0.1, 0, 0.8}},
                              {"head", "body", {0, 0, 0.8}}};
        const Skeleton goblin = skeleton_of(small);
        const Found parts = slots_of(shape_of(goblin), goblin);
        CHECK(parts.at("hips") == "body");
        CHECK(parts.at("leftUpperLeg") == "leg-l");
        CHECK(parts.at("rightUpperArm") == "arm-r");
    }
}

TEST_CASE("a joint that only carries another one in its place hands over to it", "[shape]") {
    const Joints joints = person();
    Joints doubled;
    for (PlacedJoint joint : joints) {
        const bool carries =
            std::ranges::any_of(joints, [&](const PlacedJoint& other) { return other.parent == joint.name; });
        if (carries && joint.name != "Hips") {
            doubled.push_back({joint.name + "_comp", joint.parent, joint.head});
            joint.parent = doubled.back().name;
        }
        doubled.push_back(joint);
    }
    const Skeleton named = skeleton_of(doubled);
    const Skeleton skeleton = skeleton_of(nameless(doubled));
    for (const auto& [slot, joint] : slots_of(shape_of(skeleton), skeleton)) {
        INFO(slot);
        CHECK_FALSE(named.nodes[*skeleton.find(joint)].name.ends_with("_comp"));
    }
    CHECK(slots_of(shape_of(skeleton), skeleton).size() == slots_of(shape_of(named), named).size());
    SECTION("an end hands over to the joint with its name") {
        Joints ended;
        for (PlacedJoint joint : nameless(joints)) {
            if (joint.parent.empty()) {
                ended.push_back(joint);
                continue;
            }
            ended.push_back({joint.name + "_comp", joint.parent, joint.head});
            joint.parent = ended.back().name;
            ended.push_back(joint);
        }
        const Skeleton doubles = skeleton_of(ended);
        const Found found = slots_of(shape_of(doubles), doubles);
        CHECK(found.contains("leftToes"));
        for (const auto& [slot, joint] : found) {
            INFO(slot);
            CHECK_FALSE(joint.ends_with("_comp"));
        }
    }
}

TEST_CASE("toes of their own are not all toes", "[shape]") {
    Joints joints = person();
    std::erase_if(joints, [](const PlacedJoint& joint) { return joint.name.ends_with("ToeBase"); });
    add_below_both(joints, "Inner", "Foot", {{0.05, -0.1, 0.03}});
    add_below_both(joints, "Outer", "Foot", {{0.15, -0.1, 0.03}});
    const Skeleton skeleton = skeleton_of(nameless(joints));
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(found.contains("leftFoot"));
    CHECK_FALSE(found.contains("leftToes"));
}

TEST_CASE("a hand whose halves part again begins where the halves part", "[shape]") {
    Joints joints = person();
    for (const std::string side : {"Left", "Right"}) {
        const double x = side == "Left" ? 1 : -1;
        const auto hand = std::ranges::find(joints, side + "Hand", &PlacedJoint::name);
        const auto place = hand - joints.begin() + 1;
        joints.insert(joints.begin() + place, {{side + "Inner", side + "Hand", {0.73 * x, -0.01, 1.45}},
                                               {side + "Outer", side + "Hand", {0.73 * x, 0.01, 1.45}}});
        for (PlacedJoint& joint : joints) {
            if (joint.parent == side + "Hand" && joint.name.ends_with("1")) {
                const bool is_inner = joint.name.find("Ring") == std::string::npos &&
                                      joint.name.find("Pinky") == std::string::npos;
                joint.parent = side + (is_inner ? "Inner" : "Outer");
            }
        }
    }
    const Skeleton named = skeleton_of(joints);
    const Skeleton skeleton = skeleton_of(nameless(joints));
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(*skeleton.find(found.at("leftHand")) == *named.find("LeftHand"));
    CHECK(*skeleton.find(found.at("leftLowerArm")) == *named.find("LeftForeArm"));
}

TEST_CASE("animals do not look like a person", "[shape]") {
    CHECK(looks_like(quadruped()) == "four legs");
    CHECK(looks_like(moved(quadruped(), [](const glm::dvec3& p) { return glm::dvec3(-p.y, p.x, p.z); })) ==
          "four legs");
    SECTION("six legs") {
        Joints joints = quadruped();
        add_both(joints, "middle", "spine1",
                 {{0.1, 0.1, 0.7}, {0.1, 0.1, 0.4}, {0.1, 0.1, 0.1}, {0.1, 0, 0}});
        CHECK(looks_like(joints) == "six legs");
    }
    SECTION("a beast that rears") {
        Joints joints;
        add_chain(joints, "spine", "", {{0, 0, 1}, {0, 0, 1.2}, {0, 0, 1.4}, {0, 0, 1.6}});
        add_both(joints, "back", "spine0", {{0.1, 0, 0.9}, {0.1, 0, 0.5}, {0.1, 0, 0.1}, {0.1, -0.1, 0}});
        add_both(joints, "front", "spine2", {{0.2, 0, 1.4}, {0.2, -0.2, 1.1}, {0.2, -0.3, 0.8}});
        CHECK(shape_of(skeleton_of(joints)).looks_like.empty());
        const std::map<std::string, std::string> names = {{"frontL1", "front_shin.L"},
                                                          {"frontR1", "front_shin.R"}};
        CHECK(shape_of(skeleton_of(renamed(joints, names))).looks_like == "legs in place of arms");
    }
    SECTION("a bird") {
        Joints joints;
        add_chain(joints, "spine", "", {{0, 0.1, 0.4}, {0, -0.1, 0.42}, {0, -0.3, 0.45}});
        add_chain(joints, "neck", "spine2", {{0, -0.4, 0.55}, {0, -0.5, 0.6}});
        add_both(joints, "leg", "spine0",
                 {{0.05, 0.1, 0.35}, {0.05, 0.05, 0.2}, {0.05, 0.1, 0.05}, {0.05, 0, 0}});
        add_both(joints, "wing", "spine2",
                 {{0.1, -0.3, 0.45}, {0.4, -0.25, 0.5}, {0.7, -0.3, 0.45}, {1, -0.2, 0.4}});
        CHECK(looks_like(joints) == "a spine that lies flat");
        CHECK(shape_of(skeleton_of(joints)).looks_like == "wings in place of arms");
    }
    SECTION("a tail longer than the legs") {
        Joints joints = person();
        add_chain(joints, "tail", "Hips", {{0, 0.2, 0.9}, {0, 0.6, 0.7}, {0, 1.1, 0.6}, {0, 1.6, 0.6}});
        CHECK(shape_of(skeleton_of(joints)).looks_like == "a tail longer than its legs");
    }
    SECTION("no head") {
        Joints joints = person();
        std::erase_if(joints,
                      [](const PlacedJoint& joint) { return joint.name == "Neck" || joint.name == "Head"; });
        CHECK(shape_of(skeleton_of(nameless(joints))).looks_like == "no head above its arms");
        // Names that know arms and legs of an upright body are a person's.
        CHECK(shape_of(skeleton_of(joints)).looks_like.empty());
    }
    SECTION("wings and a short tail beside arms and legs are a person's") {
        Joints joints = person();
        add_both(joints, "wing", "Spine2",
                 {{0.1, 0.1, 1.4}, {0.4, 0.3, 1.6}, {0.8, 0.4, 1.5}, {1.2, 0.4, 1.2}});
        add_chain(joints, "tail", "Hips", {{0, 0.2, 0.9}, {0, 0.4, 0.7}, {0, 0.5, 0.6}});
        // Bento's hind limbs hang on a joint of their own.
        joints.push_back({"HindLimbsRoot", "Hips", {0, 0.2, 1}});
        add_both(joints, "hind", "HindLimbsRoot",
                 {{0.1, 0.2, 0.9}, {0.1, 0.2, 0.5}, {0.1, 0.2, 0.1}, {0.1, 0.1, 0}});
        const Skeleton skeleton = skeleton_of(joints);
        CHECK(shape_of(skeleton).looks_like.empty());
        CHECK(slots_of(shape_of(skeleton), skeleton).at("leftHand") == "LeftHand");
    }
}

TEST_CASE("without names, a leg and a tail are not a pair", "[shape]") {
    Joints joints;
    add_chain(joints, "spine", "", {{0, 0.9, 1.27}, {0, 0.15, 1.27}, {0, -0.73, 1.5}});
    add_both(joints, "front", "spine1", {{0.24, -0.62, 1.15}, {0.28, -0.52, 0.52}});
    add_both(joints, "back", "spine0", {{0.36, 0.73, 1.19}, {0.44, 1, 0.49}});
    add_chain(joints, "tail", "spine0", {{0, 0.97, 1.26}, {-0.07, 1.43, 0.7}});
    CHECK(shape_of(skeleton_of(nameless(joints))).slots.empty());
}

TEST_CASE("any tree has an end", "[shape]") {
    const auto joint = [](std::size_t parent, const glm::dvec3& place) {
        Node node{.name = "node"};
        node.parent = parent;
        node.rest_local.translation = place;
        return node;
    };
    Skeleton skeleton;
    skeleton.nodes.push_back({.name = "root"});
    SECTION("a rope") {
        for (std::size_t i = 0; i < 10000; ++i) {
            skeleton.nodes.push_back(joint(i, {0, 0, 0.1}));
        }
    }
    SECTION("a star") {
        for (std::size_t i = 0; i < 20000; ++i) {
            skeleton.nodes.push_back(joint(0, {std::cos(static_cast<double>(i)), 0, 1}));
            skeleton.nodes.push_back(joint(skeleton.nodes.size() - 1, {0, 0, 1}));
        }
    }
    SECTION("a comb") {
        for (std::size_t i = 0; i < 5000; ++i) {
            const std::size_t last = i == 0 ? 0 : skeleton.nodes.size() - 3;
            skeleton.nodes.push_back(joint(last, {0, 0, 0.1}));
            skeleton.nodes.push_back(joint(skeleton.nodes.size() - 1, {0.1, 0, 0}));
            skeleton.nodes.push_back(joint(skeleton.nodes.size() - 2, {-0.1, 0, 0}));
        }
    }
    SECTION("every joint parts in two") {
        for (std::size_t i = 1; i < 20000; ++i) {
            skeleton.nodes.push_back(joint((i - 1) / 2, {i % 2 == 0 ? 0.1 : -0.1, 0, 0.1}));
        }
    }
    SECTION("bones that are far below joints without a length") {
        for (const double side : {1.0, -1.0}) {
            std::size_t last = 0;
            for (std::size_t i = 0; i < 200; ++i) {
                skeleton.nodes.push_back(joint(last, {0, 0, 0}));
                last = skeleton.nodes.size() - 1;
            }
            for (std::size_t i = 0; i < 4; ++i) {
                skeleton.nodes.push_back(joint(last, {0, 0.1 * side, -0.4}));
                last = skeleton.nodes.size() - 1;
            }
        }
    }
    SECTION("places that are none") {
        const double none = std::numeric_limits<double>::quiet_NaN();
        const double far = std::numeric_limits<double>::max();
        const std::vector<glm::dvec3> places = {
            {0, 0, 0}, {none, 0, 0}, {far, far, far}, {0, 1e-300, 0}, {1, 1, 1}};
        for (std::size_t i = 1; i < 500; ++i) {
            skeleton.nodes.push_back(joint((i - 1) / 3, places[i % places.size()]));
        }
    }
    const rig::humanoid::FoundRig rig = shape_of(skeleton);
    CHECK(rig.roles.size() == skeleton.nodes.size());
}

TEST_CASE("a hunched body is a person's if its arms are", "[shape]") {
    Joints joints = person(60);
    // The trunk leans by 45 degrees, and the legs are bent under it.
    for (PlacedJoint& joint : joints) {
        const double above = joint.head.z - 0.95;
        if (above > 0) {
            joint.head.y -= 0.7 * above;
            joint.head.z = 0.95 + 0.7 * above;
        } else if (joint.name == "LeftLeg" || joint.name == "RightLeg") {
            joint.head.y -= 0.25;
        }
    }
    check_nameless(joints);
}

TEST_CASE("a head before the chest counts by its name", "[shape]") {
    Joints joints = mixamo_body();
    for (PlacedJoint& joint : joints) {
        if (joint.name == "Neck" || joint.name == "Head") {
            joint.head = {0, joint.name == "Neck" ? -0.2 : -0.35, joint.name == "Neck" ? 1.25 : 1.15};
        }
    }
    const Skeleton skeleton = skeleton_of(joints);
    const rig::humanoid::FoundRig rig = shape_of(skeleton);
    CHECK(rig.looks_like.empty());
    CHECK(slots_of(rig, skeleton).at("head") == "Head");
    CHECK(looks_like(joints) == "no head above its arms");
}

TEST_CASE("fingers that begin at the wrist hang on the lower arm", "[shape]") {
    Joints joints = person();
    std::erase_if(joints, [](const PlacedJoint& joint) {
        return joint.name == "LeftHand" || joint.name == "RightHand";
    });
    for (PlacedJoint& joint : joints) {
        joint.parent = joint.parent == "LeftHand"    ? "LeftForeArm"
                       : joint.parent == "RightHand" ? "RightForeArm"
                                                     : joint.parent;
    }
    const Skeleton skeleton = skeleton_of(nameless(joints));
    const Skeleton named = skeleton_of(joints);
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(*skeleton.find(found.at("leftLowerArm")) == *named.find("LeftForeArm"));
    CHECK(*skeleton.find(found.at("leftUpperArm")) == *named.find("LeftArm"));
    CHECK_FALSE(found.contains("leftHand"));
}

TEST_CASE("a collarbone begins near the middle, also where limbs would divide better without it", "[shape]") {
    Joints joints = person();
    // Short upper arms: shoulder to elbow is shorter than elbow to wrist.
    for (PlacedJoint& joint : joints) {
        if (joint.name.ends_with("ForeArm")) {
            joint.head.x = std::copysign(0.38, joint.head.x);
        }
    }
    check_nameless(joints);
}

TEST_CASE("arms that hang on a head are no person's", "[shape]") {
    Joints joints = {{"Root", "", {0, 0, 1}}, {"Head", "Root", {0, 0, 1.2}}};
    for (const std::string side : {"L", "R"}) {
        const double x = side == "L" ? 1 : -1;
        joints.push_back({"Shoulder." + side, "Head", {0.1 * x, 0, 1.1}});
        joints.push_back({"UpperArm." + side, "Shoulder." + side, {0.2 * x, 0, 1.1}});
        joints.push_back({"LowerArm." + side, "UpperArm." + side, {0.4 * x, 0, 1}});
        joints.push_back({"Hand." + side, "LowerArm." + side, {0.6 * x, 0, 0.9}});
    }
    CHECK(shape_of(skeleton_of(joints)).looks_like == "arms that hang on its head");
}

TEST_CASE("long ears are no legs", "[shape]") {
    Joints joints = mixamo_body();
    std::erase_if(joints, [](const PlacedJoint& joint) {
        return joint.name.ends_with("Foot") || joint.name.ends_with("ToeBase");
    });
    add_both(joints, "Ear", "Head", {{0.1, 0, 1.8}, {0.15, 0, 2.2}, {0.2, 0, 2.6}});
    const Skeleton skeleton = skeleton_of(nameless(joints));
    const Skeleton named = skeleton_of(joints);
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(*skeleton.find(found.at("leftUpperLeg")) == *named.find("LeftUpLeg"));
    CHECK(*skeleton.find(found.at("head")) == *named.find("Head"));
}

namespace {

/// The body in pieces: legs and torso have no joint above them.
Joints in_pieces(Joints joints) {
    for (PlacedJoint& joint : joints) {
        joint.parent = joint.name.ends_with("UpLeg") ? "" : joint.parent;
    }
    return joints;
}

}  // namespace

TEST_CASE("legs and torso may have no joint above them", "[shape]") {
    const Joints joints = in_pieces(person());
    check_nameless(joints);
    const Skeleton skeleton = skeleton_of(joints);
    const rig::humanoid::FoundRig rig = shape_of(skeleton);
    const Found found = slots_of(rig, skeleton);
    CHECK(found.at("hips") == "Hips");
    CHECK(found.at("leftUpperLeg") == "LeftUpLeg");
    CHECK(found.at("rightFoot") == "RightFoot");
    CHECK(found.at("leftHand") == "LeftHand");
    CHECK(rig.roles.size() == joints.size());
    CHECK(std::abs(rig.height_metres - 1.58) < 1e-9);  // from the toes to the head, not from the ground
    SECTION("what carries the arms is beside what carries the legs") {
        Joints beside = person();
        for (PlacedJoint& joint : beside) {
            joint.parent = joint.name == "Spine" ? "" : joint.parent;
        }
        const Joints short_spine =
            renamed(without(without(beside, "Spine1"), "Spine2"), {{"Spine1", "Spine"}, {"Spine2", "Spine"}});
        const Skeleton pieces = skeleton_of(nameless(short_spine));
        const Skeleton names = skeleton_of(short_spine);
        const Found parts = slots_of(shape_of(pieces), pieces);
        CHECK(*pieces.find(parts.at("hips")) == *names.find("Hips"));
        CHECK(*pieces.find(parts.at("spine")) == *names.find("Spine"));
    }
    SECTION("animals in pieces have no whole limbs") {
        Joints bird = {{"body", "", {0, 0, 0.3}}, {"head", "body", {0, 0, 0.6}}};
        add_both(bird, "wing", "body", {{0.05, 0, 0.5}, {0.2, 0, 0.5}});
        add_both(bird, "leg", "", {{0, 0, 0.3}, {0.05, 0, 0.3}, {0.05, 0, 0.1}});
        CHECK(shape_of(skeleton_of(nameless(bird))).slots.empty());
    }
}

TEST_CASE("toes that point down leave the front to the thumbs", "[shape]") {
    // The body faces +Y, not the file's front.
    Joints joints = moved(person(), [](glm::dvec3 p) { return glm::dvec3(-p.x, -p.y, p.z); });
    for (PlacedJoint& joint : joints) {
        joint.head.y = joint.name.ends_with("ToeBase") ? 0.0 : joint.head.y;
    }
    const auto bend_knees = [&](double ahead) {
        for (PlacedJoint& joint : joints) {
            joint.head.y = joint.name == "LeftLeg" || joint.name == "RightLeg" ? ahead : joint.head.y;
        }
    };
    SECTION("straight limbs") {
        bend_knees(0);
        check_nameless(joints);
    }
    SECTION("knees that bend the wrong way count less") {
        bend_knees(-0.1);
        check_nameless(joints);
    }
    SECTION("elbows count without a hand") {
        bend_knees(0);
        std::erase_if(joints, [](const PlacedJoint& joint) {
            return joint.name.ends_with("ToeBase") || joint.name.find("Thumb") != std::string::npos ||
                   joint.name == "LeftHand" || joint.name == "RightHand";
        });
        for (PlacedJoint& joint : joints) {
            joint.parent = joint.parent == "LeftHand"    ? "LeftForeArm"
                           : joint.parent == "RightHand" ? "RightForeArm"
                                                         : joint.parent;
        }
        const Skeleton skeleton = skeleton_of(nameless(joints));
        const Found found = slots_of(shape_of(skeleton), skeleton);
        CHECK_FALSE(found.contains("leftHand"));
        CHECK(*skeleton.find(found.at("leftUpperArm")) == *skeleton_of(joints).find("LeftArm"));
    }
}

TEST_CASE("a skull and a jaw that begin where the neck ends are above the neck", "[shape]") {
    Joints joints = person();
    joints.push_back({"Jaw", "Neck", {0, 0, 1.6}});
    joints.push_back({"JawEnd", "Jaw", {0, -0.1, 1.58}});
    joints.push_back({"Crown", "Head", {0, 0, 1.8}});
    const Skeleton skeleton = skeleton_of(nameless(joints));
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(*skeleton.find(found.at("neck")) == *skeleton_of(joints).find("Neck"));
    CHECK(*skeleton.find(found.at("head")) == *skeleton_of(joints).find("Head"));
}

TEST_CASE("controls of feet are no legs, and ears are no arms", "[shape]") {
    Joints joints = renamed(person(), {{"LeftArm", "l_upper"},
                                       {"LeftForeArm", "l_lower"},
                                       {"RightArm", "r_upper"},
                                       {"RightForeArm", "r_lower"}});
    SECTION("controls") {
        joints.front().parent = "Control";
        joints.insert(joints.begin(), {"Control", "", {0, 0, 0}});
        for (const std::string side : {"l", "r"}) {
            const double x = side == "l" ? 0.1 : -0.1;
            joints.push_back({side + "_leg_ik", "Control", {x, 0, 0.08}});
            joints.push_back({side + "_foot_ik", side + "_leg_ik", {x, 0, 0.09}});
        }
        CHECK(shape_of(skeleton_of(joints)).looks_like.empty());
    }
    SECTION("ears") {
        const Joints elephant = renamed(joints, {{"l_upper", "l_ear"}, {"r_upper", "r_ear"}});
        CHECK(shape_of(skeleton_of(joints)).looks_like.empty());
        CHECK(shape_of(skeleton_of(elephant)).looks_like == "ears in place of arms");
    }
}

TEST_CASE("what goes on below a hand is held by it", "[shape]") {
    Joints joints = mixamo_body();
    std::map<std::string, std::string> names;
    for (const std::string side : {"Left", "Right"}) {
        const double x = side == "Left" ? 1 : -1;
        names[side + "Shoulder"] = "s_" + side;
        names[side + "Arm"] = "a_" + side;
        names[side + "ForeArm"] = "b_" + side;
        for (PlacedJoint& joint : joints) {
            joint.head.x = joint.name == side + "Hand" ? 0.58 * x : joint.head.x;
        }
        add_chain(joints, side + "Held", side + "Hand", {{0.62 * x, 0, 1.45}, {0.72 * x, 0, 1.45}});
    }
    const Skeleton skeleton = skeleton_of(renamed(joints, names));
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(found.at("leftHand") == "LeftHand");
    CHECK(found.at("rightLowerArm") == "b_Right");
}

TEST_CASE("a neck that is counted from zero begins at zero", "[shape]") {
    Joints joints = person();
    auto names = node_names(joints);
    names["Neck"] = "neck_0";
    names["Head"] = "neck_2";
    const auto head = std::find_if(joints.begin(), joints.end(),
                                   [](const PlacedJoint& joint) { return joint.name == "Head"; });
    head->parent = "neck_1";
    joints.insert(head, {"neck_1", "Neck", {0, 0, 1.55}});
    const Skeleton skeleton = skeleton_of(renamed(joints, names));
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(found.at("neck") == "neck_0");
    CHECK(found.at("head") == "neck_2");
}

TEST_CASE("a spine that is counted from its middle begins at its lowest joint", "[shape]") {
    const Joints joints =
        renamed(without(person(), "Spine"), {{"Spine", "Hips"}, {"Spine1", "Spine2"}, {"Spine2", "Spine3"}});
    const Skeleton skeleton = skeleton_of(joints);
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(found.at("spine") == "Spine2");
    CHECK(found.at("chest") == "Spine3");
}

TEST_CASE("arms may hang on the hips, beside the spine", "[shape]") {
    Joints joints = person();
    for (PlacedJoint& joint : joints) {
        joint.parent = joint.name.ends_with("Shoulder") ? "Hips" : joint.parent;
        joint.head.z -= joint.name == "Spine2" ? 0.02 : 0;
    }
    const Skeleton skeleton = skeleton_of(nameless(joints));
    const Skeleton named = skeleton_of(joints);
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(*skeleton.find(found.at("spine")) == *named.find("Spine"));
    CHECK(*skeleton.find(found.at("neck")) == *named.find("Neck"));
    CHECK(*skeleton.find(found.at("head")) == *named.find("Head"));
    CHECK(*skeleton.find(found.at("leftUpperArm")) == *named.find("LeftArm"));
}

namespace {

/// Where the parts of one body are; the right ones are mirrored.
const std::map<std::string, glm::dvec3>& part_places() {
    static const std::map<std::string, glm::dvec3> places = [] {
        std::map<std::string, glm::dvec3> made = {{"hips", {0, 0, 1}},    {"spine", {0, 0, 1.1}},
                                                  {"chest", {0, 0, 1.2}}, {"upperChest", {0, 0, 1.3}},
                                                  {"neck", {0, 0, 1.5}},  {"head", {0, 0, 1.6}}};
        const std::map<std::string, glm::dvec3> left = {
            {"Shoulder", {0.05, 0, 1.45}}, {"UpperArm", {0.2, 0, 1.45}}, {"LowerArm", {0.45, 0.02, 1.45}},
            {"Hand", {0.7, 0, 1.45}},      {"UpperLeg", {0.1, 0, 0.95}}, {"LowerLeg", {0.1, -0.02, 0.5}},
            {"Foot", {0.1, 0, 0.08}},      {"Toes", {0.1, -0.12, 0.02}}};
        for (const auto& [part, place] : left) {
            made["left" + part] = place;
            made["right" + part] = {-place.x, place.y, place.z};
        }
        return made;
    }();
    return places;
}

/// One body with the rig's preferred names; empty: the rig is not that of a whole body.
std::pair<Joints, Found> body_named_by(const rig::humanoid::RigFile& rig) {
    Found names;
    for (const rig::humanoid::RigNames& row : rig.slots) {
        if (part_places().contains(row.of)) {
            names[row.of] = row.names.front();
        }
    }
    if (rig.loose || rig.use == rig::humanoid::RigUse::target || !names.contains("hips") ||
        !names.contains("leftHand") || !names.contains("head")) {
        return {};
    }
    Joints joints;
    for (const rig::humanoid::Slot& slot : rig::humanoid::humanoid_slots()) {
        const auto own = names.find(std::string(slot.name));
        if (own == names.end()) {
            continue;
        }
        auto above = std::string(slot.parent);
        while (!above.empty() && !names.contains(above)) {
            above = rig::humanoid::humanoid_slots()[*rig::humanoid::find_slot(above)].parent;
        }
        joints.push_back({own->second, above.empty() ? "" : names.at(above), part_places().at(own->first)});
    }
    return {joints, names};
}

}  // namespace

TEST_CASE("one body with the names of each convention, and without names", "[shape]") {
    std::size_t bodies = 0;
    for (const rig::humanoid::RigFile& rig : rig::humanoid::built_in_rigs()) {
        const auto [joints, names] = body_named_by(rig);
        if (joints.empty()) {
            continue;
        }
        INFO(rig.id);
        ++bodies;
        const Skeleton skeleton = skeleton_of(joints);
        const Skeleton without_names = skeleton_of(nameless(joints));
        const Found found = slots_of(shape_of(skeleton), skeleton);
        const Found by_shape = slots_of(shape_of(without_names), without_names);
        for (const auto& [slot, name] : names) {
            INFO(slot);
            CHECK(found.contains(slot));
            CHECK((!found.contains(slot) || found.at(slot) == name));
            const bool is_of_spine = slot == "spine" || slot == "chest" || slot == "upperChest";
            CHECK((is_of_spine || by_shape.contains(slot)));
            CHECK((is_of_spine || !by_shape.contains(slot) ||
                   *without_names.find(by_shape.at(slot)) == *skeleton.find(name)));
        }
    }
    CHECK(bodies > 40);
}

TEST_CASE("collarbones that begin at the spine may be a little across it", "[shape]") {
    Joints joints = person();
    for (PlacedJoint& joint : joints) {
        joint.head.x = joint.name == "LeftShoulder"    ? -0.004
                       : joint.name == "RightShoulder" ? 0.004
                                                       : joint.head.x;
    }
    const Skeleton skeleton = skeleton_of(joints);
    const rig::humanoid::FoundRig rig = shape_of(skeleton);
    CHECK(slots_of(rig, skeleton).at("leftShoulder") == "LeftShoulder");
    CHECK(rig.warnings.empty());
}

TEST_CASE("a body in pieces needs no hands and feet if it has a spine", "[shape]") {
    Joints joints = in_pieces(mixamo_body());
    std::erase_if(joints, [](const PlacedJoint& joint) {
        return joint.name.ends_with("Hand") || joint.name.ends_with("Foot") ||
               joint.name.ends_with("ToeBase");
    });
    const Skeleton skeleton = skeleton_of(nameless(joints));
    const Skeleton named = skeleton_of(joints);
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(*skeleton.find(found.at("hips")) == *named.find("Hips"));
    CHECK(*skeleton.find(found.at("leftLowerArm")) == *named.find("LeftForeArm"));
    CHECK(*skeleton.find(found.at("leftLowerLeg")) == *named.find("LeftLeg"));
}

TEST_CASE("knees and elbows that both clearly bend the wrong way turn the names round", "[shape]") {
    // The names' left is at -X, and the body faces -Y by its joints.
    std::map<std::string, std::string> names = {{"Hips", "Pelvis"}};
    for (const std::string side : {"Left", "Right"}) {
        const std::string other = side == "Left" ? "R" : "L";
        const std::vector<std::pair<std::string, std::string>> parts = {
            {"Arm", "UArm"}, {"ForeArm", "LArm"}, {"UpLeg", "ULeg"}, {"Leg", "LLeg"}};
        for (const auto& [mixamo, own] : parts) {
            names[side + mixamo] = own + other;
        }
        names[side + "Hand"] = "Hand" + other;
        names[side + "Foot"] = "Foot" + other;
    }
    const double bent = GENERATE(0.002, 0.03);
    Joints joints = mixamo_body();
    std::erase_if(joints, [](const PlacedJoint& joint) { return joint.name.ends_with("ToeBase"); });
    for (PlacedJoint& joint : joints) {
        joint.head.y += joint.name.ends_with("ForeArm")                       ? bent
                        : joint.name == "LeftLeg" || joint.name == "RightLeg" ? -bent
                                                                              : 0;
    }
    const Skeleton skeleton = skeleton_of(renamed(joints, names));
    const rig::humanoid::FoundRig rig = shape_of(skeleton);
    const Found found = slots_of(rig, skeleton);
    const bool is_turned = bent > 0.01;
    CHECK(found.at("leftLowerArm") == (is_turned ? "LArmR" : "LArmL"));
    CHECK(found.at("leftLowerLeg") == (is_turned ? "LLegR" : "LLegL"));
    CHECK(rig.warnings.empty() == !is_turned);
}

TEST_CASE("meshes that hang on joints say nothing of sides", "[shape]") {
    Joints joints = nameless(mixamo_body());
    std::erase_if(joints, [&](const PlacedJoint& joint) {
        return *skeleton_of(mixamo_body()).find("Head") ==
               *skeleton_of(nameless(mixamo_body())).find(joint.name);
    });
    const Skeleton whole = skeleton_of(mixamo_body());
    const auto name_of_joint = [&](const char* name) {
        return skeleton_of(nameless(mixamo_body())).nodes[*whole.find(name)].name;
    };
    joints.push_back({"Head", name_of_joint("Neck"), {0, 0, 1.65}});
    joints.push_back({"RightHand", name_of_joint("LeftHand"), {0.75, 0, 1.45}});
    joints.push_back({"LeftHand", name_of_joint("RightHand"), {-0.75, 0, 1.45}});
    Skeleton skeleton = skeleton_of(joints);
    for (Node& node : skeleton.nodes) {
        node.is_attachment = !node.name.starts_with("node");
    }
    const rig::humanoid::FoundRig rig = shape_of(skeleton);
    CHECK(rig.looks_like.empty());
    const Found found = slots_of(rig, skeleton);
    CHECK(found.at("leftHand") == name_of_joint("LeftHand"));
    CHECK(found.at("leftUpperArm") == name_of_joint("LeftArm"));
}

TEST_CASE("a body whose arms and legs are called so needs no head", "[shape]") {
    Joints joints = mixamo_body();
    std::erase_if(joints, [](const PlacedJoint& joint) {
        return joint.name == "Head" || joint.name == "Neck" || joint.name.ends_with("Hand") ||
               joint.name.ends_with("Foot") || joint.name.ends_with("ToeBase");
    });
    CHECK(shape_of(skeleton_of(joints)).looks_like.empty());
    CHECK(shape_of(skeleton_of(nameless(joints))).looks_like == "no head above its arms");
}

TEST_CASE("an ankle that carries a foot is the foot", "[shape]") {
    std::map<std::string, std::string> names;
    for (const std::string side : {"Left", "Right"}) {
        names[side + "UpLeg"] = side + "Thigh";
        names[side + "Leg"] = side + "Calf";
        names[side + "Foot"] = side + "Ankle";
        names[side + "ToeBase"] = side + "Foot";
    }
    const Skeleton skeleton = skeleton_of(renamed(person(), names));
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(found.at("leftFoot") == "LeftAnkle");
    CHECK(found.at("leftToes") == "LeftFoot");
    CHECK(found.at("leftLowerLeg") == "LeftCalf");
}

TEST_CASE("arms with collars of different lengths are mirrored", "[shape]") {
    Joints joints = person();
    for (PlacedJoint& joint : joints) {
        joint.head.x = joint.name == "LeftShoulder"    ? 0.1
                       : joint.name == "RightShoulder" ? -0.02
                                                       : joint.head.x;
    }
    check_nameless(joints);
}

TEST_CASE("an upper arm in two parts, the first of which is short, may have no hand", "[shape]") {
    Joints joints = mixamo_body();
    std::erase_if(joints, [](const PlacedJoint& joint) { return joint.name.ends_with("ToeBase"); });
    for (PlacedJoint& joint : joints) {
        const double x = std::copysign(1.0, joint.head.x);
        joint.head = joint.name.ends_with("Shoulder")  ? glm::dvec3(0, 0, 1.45)
                     : joint.name.ends_with("ForeArm") ? glm::dvec3(0.25 * x, 0, 1.45)
                     : joint.name.ends_with("Hand")    ? glm::dvec3(0.45 * x, 0, 1.45)
                                                       : joint.head;
    }
    const Skeleton skeleton = skeleton_of(nameless(joints));
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK_FALSE(found.contains("leftHand"));
    CHECK(*skeleton.find(found.at("leftLowerArm")) == *skeleton_of(joints).find("LeftHand"));
}

TEST_CASE("named arms are a person's whose legs are known in part", "[shape]") {
    const auto body = [](const std::string& leg) {
        Joints joints = {{"Body", "", {0, 0, 0.9}}, {"Head", "Body", {0, 0, 1.5}}};
        for (const std::string side : {"Left", "Right"}) {
            const double x = side == "Left" ? 1 : -1;
            joints.push_back({side + "UpperArm", "Body", {0.2 * x, 0, 1.4}});
            joints.push_back(
                {side + "LowerArm", side + "UpperArm", {x > 0 ? 0.5 : -0.3, 0, x > 0 ? 1.4 : 1.1}});
            joints.push_back({side + leg, "", {0, 0, 0.9}});
        }
        return joints;
    };
    const Skeleton skeleton = skeleton_of(body("Hip"));
    const Found found = slots_of(shape_of(skeleton), skeleton);
    CHECK(found.at("head") == "Head");
    CHECK(found.at("rightLowerArm") == "RightLowerArm");
    CHECK_FALSE(found.contains("leftUpperLeg"));  // both are in one place
    CHECK(shape_of(skeleton_of(body("Wheel"))).slots.empty());
    Joints animal = body("Hip");
    animal.push_back({"Tail", "Body", {0, 0.3, 0.9}});
    CHECK(shape_of(skeleton_of(animal)).slots.empty());
}

TEST_CASE("what lacks the prefix of a loose rig is of another skeleton", "[shape]") {
    Joints joints;
    std::map<std::string, std::string> names = {{"Hips", "DEF-spine"},       {"Spine", "DEF-spine.001"},
                                                {"Spine1", "DEF-spine.002"}, {"Spine2", "DEF-spine.003"},
                                                {"Neck", "DEF-spine.004"},   {"Head", "DEF-head"}};
    const std::vector<std::pair<std::string, std::string>> parts = {
        {"Shoulder", "shoulder"}, {"Arm", "upper_arm"}, {"ForeArm", "forearm"}, {"Hand", "hand"},
        {"UpLeg", "thigh"},       {"Leg", "shin"},      {"Foot", "foot"},       {"ToeBase", "toe"}};
    for (const auto& [mixamo, own] : parts) {
        names["Left" + mixamo] = "DEF-" + own + ".L";
        names["Right" + mixamo] = "DEF-" + own + ".R";
    }
    joints = renamed(mixamo_body(), names);
    add_chain(joints, "spine.00", "", {{0, 0, 1}, {0, 0, 1.1}, {0, 0, 1.2}, {0, 0, 1.3}, {0, 0, 1.4}});
    joints.push_back({"spine.006", "spine.004", {0, 0, 1.6}});
    const Skeleton skeleton = skeleton_of(joints);
    CHECK(slots_of(shape_of(skeleton), skeleton)["head"] != "spine.006");
}
