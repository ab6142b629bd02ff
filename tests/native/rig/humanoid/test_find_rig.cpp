// SPDX-License-Identifier: MIT
// Finding which joint is which part of a body. The skeletons are made by hand, and so are the expectations:
// what guides and rigs' makers say of the names (docs/rig-maps.md).
#include <algorithm>
#include <chrono>
#include <limits>
#include <string_view>

#include "catch.h"
#include "rig_find_bodies.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

rig::humanoid::FoundRig find(const Skeleton& skeleton, const rig::humanoid::RigFile* own = nullptr,
                             rig::humanoid::RigUse use = rig::humanoid::RigUse::source) {
    return rig::humanoid::find_rig(skeleton, rig::humanoid::built_in_rigs(), own, use).value();
}

Found found_in(const std::vector<PlacedJoint>& joints) {
    const Skeleton skeleton = skeleton_of(joints);
    return slots_of(find(skeleton), skeleton);
}

const rig::humanoid::MissingSlot* missing(const rig::humanoid::FoundRig& rig, const std::string& slot) {
    for (const rig::humanoid::MissingSlot& each : rig.missing) {
        if (each.slot == slot) {
            return &each;
        }
    }
    return nullptr;
}

const rig::humanoid::FoundSlot& find_slot_of(const rig::humanoid::FoundRig& rig, std::string_view slot) {
    return *std::find_if(rig.slots.begin(), rig.slots.end(),
                         [&](const auto& each) { return each.slot == slot; });
}

/// Names of the old Biovision style, where LeftShoulder is the upper arm.
const std::map<std::string, std::string> biovision = {{"LeftShoulder", "LeftCollar"},
                                                      {"LeftArm", "LeftShoulder"},
                                                      {"LeftForeArm", "LeftElbow"},
                                                      {"LeftHand", "LeftWrist"},
                                                      {"RightShoulder", "RightCollar"},
                                                      {"RightArm", "RightShoulder"},
                                                      {"RightForeArm", "RightElbow"},
                                                      {"RightHand", "RightWrist"},
                                                      {"LeftUpLeg", "LeftHip"},
                                                      {"LeftLeg", "LeftKnee"},
                                                      {"LeftFoot", "LeftAnkle"},
                                                      {"RightUpLeg", "RightHip"},
                                                      {"RightLeg", "RightKnee"},
                                                      {"RightFoot", "RightAnkle"},
                                                      {"LeftToeBase", "LeftToe"},
                                                      {"RightToeBase", "RightToe"},
                                                      {"Spine", "Chest"},
                                                      {"Spine1", "Chest2"}};

}  // namespace

TEST_CASE("a body by its convention", "[find-rig]") {
    const Skeleton skeleton = skeleton_of(mixamo_body());
    const rig::humanoid::FoundRig rig = find(skeleton);
    CHECK(rig.convention == "mixamo");
    CHECK(rig.score > 0.95);
    REQUIRE(rig.facing);
    CHECK(rig.facing->y == Approx(-1));
    CHECK(rig.height_metres == Approx(1.58));
    const Found found = slots_of(rig, skeleton);
    CHECK(found.at("hips") == "Hips");
    CHECK(found.at("leftShoulder") == "LeftShoulder");
    CHECK(found.at("leftLowerLeg") == "LeftLeg");
    CHECK(found.at("upperChest") == "Spine2");
    CHECK(found.size() == 22);
    REQUIRE(rig.chains.size() == 1);
    CHECK(rig.chains[0].name == "spine");
    CHECK(rig.chains[0].joints.size() == 3);
    CHECK(rig.unmapped.empty());
}

TEST_CASE("one name is one joint here and another there", "[find-rig]") {
    SECTION("LeftShoulder is the upper arm where LeftCollar is there") {
        const Found found = found_in(renamed(mixamo_body(), biovision));
        CHECK(found.at("leftShoulder") == "LeftCollar");
        CHECK(found.at("leftUpperArm") == "LeftShoulder");
        CHECK(found.at("leftUpperLeg") == "LeftHip");
    }
    SECTION("LeftHipJoint of no length is not the upper leg") {
        auto joints = mixamo_body();
        for (const std::string side : {"Left", "Right"}) {
            for (PlacedJoint& joint : joints) {
                joint.parent = joint.name == side + "UpLeg" ? side.substr(0, 1) + "HipJoint" : joint.parent;
            }
            joints.insert(joints.begin() + 1, {side.substr(0, 1) + "HipJoint", "Hips", {0, 0, 1}});
        }
        const Found found = found_in(joints);
        CHECK(found.at("leftUpperLeg") == "LeftUpLeg");
        CHECK(found.at("leftLowerLeg") == "LeftLeg");
    }
    SECTION("Spine is the middle of the back above LowerBack") {
        const Found found = found_in(
            renamed(mixamo_body(), {{"Spine", "LowerBack"}, {"Spine1", "Spine"}, {"Spine2", "Spine1"}}));
        CHECK(found.at("spine") == "LowerBack");
        CHECK(found.at("chest") == "Spine");
        CHECK(found.at("upperChest") == "Spine1");
    }
    SECTION("fingers that CMU's rig shares with others do not outweigh LowerBack") {
        auto joints =
            renamed(mixamo_body(), {{"Spine", "LowerBack"}, {"Spine1", "Spine"}, {"Spine2", "Spine1"}});
        for (const std::string side : {"Left", "Right"}) {
            joints.push_back({side + "HandIndex1", side + "Hand", {side == "Left" ? 0.8 : -0.8, 0, 1.45}});
        }
        const Found found = found_in(joints);
        CHECK(found.at("spine") == "LowerBack");
        CHECK(found.count("leftIndexProximal") == 0);
    }
    SECTION("of two joints with one name the one under the expected parent counts") {
        auto joints = mixamo_body();
        joints.insert(joints.begin() + 1, {"LeftShoulder", "Hips", {0.1, 0.2, 1}});
        const Skeleton skeleton = skeleton_of(joints);
        const rig::humanoid::FoundRig rig = find(skeleton);
        CHECK(skeleton.nodes[find_slot_of(rig, "leftShoulder").joint].parent == skeleton.find("Spine2"));
        CHECK(find_slot_of(rig, "leftShoulder").by == rig::humanoid::FoundBy::convention);
    }
    SECTION("left_foot is the toes where left_ankle is the foot") {
        std::map<std::string, std::string> names = {{"Hips", "pelvis"},   {"Spine", "spine1"},
                                                    {"Spine1", "spine2"}, {"Spine2", "spine3"},
                                                    {"Neck", "neck"},     {"Head", "head"}};
        for (const auto& [from, to] : std::map<std::string, std::string>{{"Shoulder", "collar"},
                                                                         {"Arm", "shoulder"},
                                                                         {"ForeArm", "elbow"},
                                                                         {"Hand", "wrist"},
                                                                         {"UpLeg", "hip"},
                                                                         {"Leg", "knee"},
                                                                         {"Foot", "ankle"},
                                                                         {"ToeBase", "foot"}}) {
            names["Left" + from] = "left_" + to;
            names["Right" + from] = "right_" + to;
        }
        const Found found = found_in(renamed(mixamo_body(), names));
        CHECK(found.at("leftToes") == "left_foot");
        CHECK(found.at("leftFoot") == "left_ankle");
        CHECK(found.at("leftUpperArm") == "left_shoulder");
    }
}

TEST_CASE("a name that means several parts needs its neighbours", "[find-rig]") {
    // By its name, LeftShoulder may be the collar; between the chest and the lower arm it is the upper arm.
    auto joints = mixamo_body();
    for (const std::string side : {"Left", "Right"}) {
        joints = without(joints, side + "Arm");
        for (PlacedJoint& joint : joints) {
            joint.parent = joint.name == side + "ForeArm" ? side + "Shoulder" : joint.parent;
        }
    }
    const Skeleton skeleton = skeleton_of(joints);
    const rig::humanoid::FoundRig rig = find(skeleton);
    const Found found = slots_of(rig, skeleton);
    CHECK(found.count("leftShoulder") == 0);
    REQUIRE(missing(rig, "leftShoulder") != nullptr);
    CHECK_THAT(missing(rig, "leftShoulder")->why, ContainsSubstring("means other parts too"));
    CHECK(found.at("leftUpperArm") == "LeftShoulder");
    CHECK(find_slot_of(rig, "leftUpperArm").by == rig::humanoid::FoundBy::structure);
    CHECK(find_slot_of(rig, "leftUpperArm").score == 1);  // the shape agrees
}

TEST_CASE("a limb's middle joint is found by its place if its side agrees", "[find-rig]") {
    const auto with_elbow = [](const std::string& name) {
        return found_in(renamed(mixamo_body(), {{"LeftForeArm", name}}));
    };
    CHECK(with_elbow("LeftThing").at("leftLowerArm") == "LeftThing");
    CHECK(with_elbow("thing_l").at("leftLowerArm") == "thing_l");
    CHECK(with_elbow("RightThing").at("leftLowerArm") == "RightThing");  // by the body's shape
}

TEST_CASE("left by name must be left by place", "[find-rig]") {
    SECTION("arms on the wrong sides have no slot, and legs keep theirs") {
        auto joints = mixamo_body();
        for (PlacedJoint& joint : joints) {
            const bool is_arm = joint.head.z > 1.4 && joint.head.x != 0;
            joint.head.x *= is_arm ? -1 : 1;
        }
        joints = without(without(joints, "LeftShoulder"), "RightShoulder");
        for (PlacedJoint& joint : joints) {
            joint.parent = joint.name == "LeftArm" || joint.name == "RightArm" ? "Spine2" : joint.parent;
        }
        const Skeleton skeleton = skeleton_of(joints);
        const rig::humanoid::FoundRig rig = find(skeleton);
        const Found found = slots_of(rig, skeleton);
        CHECK(found.count("leftUpperArm") == 0);
        CHECK(found.count("rightHand") == 0);
        CHECK(found.at("leftUpperLeg") == "LeftUpLeg");
        CHECK(rig.warnings.size() == 1);
    }
    SECTION("feet alone do not decide against the names") {
        auto joints = mixamo_body();
        for (PlacedJoint& joint : joints) {
            joint.head.x *= -1;
        }
        const Skeleton skeleton = skeleton_of(joints);
        const rig::humanoid::FoundRig rig = find(skeleton);
        CHECK(slots_of(rig, skeleton).at("leftHand") == "LeftHand");
        REQUIRE(rig.warnings.size() == 1);
        CHECK_THAT(rig.warnings[0], ContainsSubstring("feet, eyes or thumbs point backwards"));
        CHECK_THAT(rig.warnings[0], ContainsSubstring("--swap-sides"));
    }
    SECTION("feet with knees and elbows do") {
        auto joints = mixamo_body();
        for (PlacedJoint& joint : joints) {
            joint.head.x *= -1;
            joint.head.y += joint.name.ends_with("Leg") && joint.name.size() < 9 ? -0.02
                            : joint.name.ends_with("ForeArm")                    ? 0.02
                                                                                 : 0;
        }
        const Skeleton skeleton = skeleton_of(joints);
        rig::humanoid::FoundRig rig = find(skeleton);
        CHECK(slots_of(rig, skeleton).at("leftHand") == "RightHand");
        CHECK(slots_of(rig, skeleton).size() == 22);
        REQUIRE(rig.warnings.size() == 1);
        CHECK_THAT(rig.warnings[0], ContainsSubstring("knees and elbows bend the wrong way"));
        const auto facing = rig.facing;
        rig::humanoid::swap_sides(rig);
        CHECK(slots_of(rig, skeleton).at("leftHand") == "LeftHand");
        CHECK(slots_of(rig, skeleton).size() == 22);
        CHECK(rig.facing->y == Approx(-facing->y));
    }
    SECTION("turned and lying bodies keep their sides") {
        for (int axis = 0; axis < 3; ++axis) {
            auto joints = mixamo_body();
            for (PlacedJoint& joint : joints) {
                const glm::dvec3 p = joint.head;
                joint.head = axis == 0   ? glm::dvec3(p.x, -p.z, p.y)
                             : axis == 1 ? glm::dvec3(p.z, p.y, -p.x)
                                         : glm::dvec3(-p.y, p.x, p.z);
            }
            CHECK(found_in(joints).size() == 22);
        }
    }
}

TEST_CASE("a slot's joint hangs under the part above it", "[find-rig]") {
    auto joints = mixamo_body();
    for (PlacedJoint& joint : joints) {
        joint.parent = joint.name == "LeftFoot" ? "Head" : joint.parent;
    }
    std::stable_partition(joints.begin(), joints.end(), [](const PlacedJoint& joint) {
        return joint.name != "LeftFoot" && joint.name != "LeftToeBase";
    });
    const Skeleton skeleton = skeleton_of(joints);
    const rig::humanoid::FoundRig rig = find(skeleton);
    CHECK(slots_of(rig, skeleton).count("leftFoot") == 0);
    REQUIRE(missing(rig, "leftFoot") != nullptr);
    CHECK_THAT(missing(rig, "leftFoot")->why, ContainsSubstring("not under"));
}

TEST_CASE("what is no body gets no slots", "[find-rig]") {
    for (const char* word : {"wheel", "bone_", "Hips", "Spine", "LeftArm", "hand", ""}) {
        std::vector<PlacedJoint> joints;
        for (int i = 0; i < 40; ++i) {
            joints.push_back(
                {word + std::to_string(i), i == 0 ? "" : word + std::to_string(i - 1), {0, 0, 0.1 * i}});
        }
        INFO(word);
        const Skeleton skeleton = skeleton_of(joints);
        const rig::humanoid::FoundRig rig = find(skeleton);
        CHECK(rig.convention.empty());
        CHECK(rig.slots.empty());
        CHECK(rig.missing.size() == 15);
    }
    CHECK(find(Skeleton()).slots.empty());
}

TEST_CASE("a few parts make no body", "[find-rig]") {
    CHECK(found_in({{"base", "", {0, 0, 0}},
                    {"LeftUpperArm", "base", {0.2, 0, 0.3}},
                    {"LeftLowerArm", "LeftUpperArm", {0.5, 0, 0.6}},
                    {"LeftHand", "LeftLowerArm", {0.8, 0, 0.9}},
                    {"RightUpperArm", "base", {-0.2, 0, 0.3}},
                    {"RightLowerArm", "RightUpperArm", {-0.5, 0, 0.6}}})
              .empty());
}

TEST_CASE("hostile skeletons take linear time and crash nothing", "[find-rig]") {
    const auto seconds = [](const Skeleton& skeleton) {
        const auto start = std::chrono::steady_clock::now();
        CHECK(find(skeleton).roles.size() == skeleton.nodes.size());
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const auto equal_names = [](std::size_t count, const std::string& name, bool is_chain) {
        Skeleton skeleton;
        for (std::size_t i = 0; i < count; ++i) {
            Node node;
            node.name = name;
            node.parent = i == 0 ? std::nullopt : std::optional(is_chain ? i - 1 : 0);
            skeleton.nodes.push_back(node);
        }
        return skeleton;
    };
    for (const char* name : {"Hips", "LeftShoulder", "mPelvis", "tail", "", "L", "\xff\xfe"}) {
        for (const bool is_chain : {false, true}) {
            INFO(name);
            CHECK(seconds(equal_names(20000, name, is_chain)) < 20);
        }
    }
    auto joints = mixamo_body();
    joints[1].head.x = std::numeric_limits<double>::quiet_NaN();
    joints[8].head.z = std::numeric_limits<double>::infinity();
    CHECK(find(skeleton_of(joints)).roles.size() == joints.size());
    for (PlacedJoint& joint : joints) {
        joint.head = glm::dvec3(0);
    }
    CHECK(!find(skeleton_of(joints)).facing);
}

TEST_CASE("the caller's rig file", "[find-rig]") {
    const Skeleton skeleton = skeleton_of(mixamo_body());
    SECTION("its names are given, and its reference pose comes along") {
        const auto own =
            rig::humanoid::read_rig_file(R"({"animbridge_rig": 1, "id": "me", "slots": {"head": ["Neck"]},
            "reference": {"Neck": [0.6, 0, 0.8, 0], "nobody": [1, 0, 0, 0]}})");
        const rig::humanoid::FoundRig rig = find(skeleton, &own.value());
        CHECK(slots_of(rig, skeleton) == Found{{"head", "Neck"}});
        CHECK(rig.slots[0].by == rig::humanoid::FoundBy::given);
        REQUIRE(rig.reference_local.size() == skeleton.nodes.size());
        const std::size_t neck = skeleton.find("Neck").value();
        REQUIRE(rig.reference_local[neck]);
        CHECK(rig.reference_local[neck]->w == Approx(0.6));
        CHECK(!rig.reference_local[0]);
        CHECK(missing(rig, "hips") == nullptr);
    }
    SECTION("it may name parts of no body, with chains") {
        const auto own =
            rig::humanoid::read_rig_file(R"({"animbridge_rig": 1, "id": "me", "slots": {"stem": ["Hips"],
            "leaf": ["nobody"]}, "chains": {"stalk": ["Spine", "Spine1"]}})");
        const rig::humanoid::FoundRig rig = find(skeleton, &own.value());
        CHECK(slots_of(rig, skeleton) == Found{{"stem", "Hips"}});
        REQUIRE(rig.chains.size() == 1);
        CHECK(rig.chains[0].name == "stalk");
        CHECK(missing(rig, "leaf") != nullptr);
    }
    SECTION("it is an error if no joint has its names") {
        const auto own =
            rig::humanoid::read_rig_file(R"({"animbridge_rig": 1, "slots": {"hips": ["nobody"]}})");
        const auto rig = rig::humanoid::find_rig(skeleton, rig::humanoid::built_in_rigs(), &own.value());
        REQUIRE(!rig);
        CHECK(rig.error().code == ErrorCode::bad_value);
        CHECK(rig.error().field == "slots");
    }
}

TEST_CASE("the report has the documented members", "[find-rig]") {
    const Skeleton skeleton = skeleton_of(mixamo_body());
    const Json report = rig::humanoid::rig_json(find(skeleton), skeleton);
    for (const char* member : {"convention", "score", "facing", "height_metres", "slots", "chains", "missing",
                               "unmapped", "warnings", "looks_like"}) {
        CHECK(report.contains(member));
    }
    CHECK(report.size() == 10);
    CHECK(report["slots"]["leftUpperArm"]["joint"] == Json("LeftArm"));
    CHECK(report["slots"]["leftUpperArm"]["by"] == Json("convention"));
    CHECK(rig::humanoid::rig_json(find(Skeleton()), Skeleton())["convention"].is_null());
}
