// SPDX-License-Identifier: MIT
// Assigning bones to joints. The expectations come from docs/rig-maps.md.
#include <map>

#include "base/json/json.h"
#include "catch.h"
#include "formats/registry.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "rig/armature/armature.h"

using namespace animbridge;

namespace {

/// Bones given as "name" (a root) or "parent > name".
rig::armature::Armature bones(const std::vector<std::string>& rows) {
    rig::armature::Armature armature;
    for (const std::string& row : rows) {
        const std::size_t arrow = row.find(" > ");
        rig::armature::Bone bone{arrow == std::string::npos ? row : row.substr(arrow + 3)};
        for (std::size_t i = 0; arrow != std::string::npos && i < armature.bones.size(); ++i) {
            if (armature.bones[i].name == row.substr(0, arrow)) {
                bone.parent = i;
            }
        }
        armature.bones.push_back(bone);
    }
    return armature;
}

using Matches = std::map<std::string, std::string>;

/// Joint -> bone.
Matches matches(const std::vector<std::string>& rows,
                const rig::armature::RigMap& map = sl_anim::avatar::avatar_rig_map()) {
    const rig::armature::Armature armature = bones(rows);
    const auto result = rig::armature::map_bones(avatar(), armature, map);
    if (!result) {
        return {{"error", result.error().reason}};
    }
    Matches found;
    for (std::size_t node = 0; node < avatar().nodes.size(); ++node) {
        if (const auto bone = result->bone_of_node[node]) {
            REQUIRE(result->node_of_bone[*bone] == node);
            REQUIRE_FALSE(result->by[*bone].empty());
            found[avatar().nodes[node].name] = armature.bones[*bone].name;
        }
    }
    return found;
}

rig::armature::RigMap read(const std::string& members) {
    return rig::armature::read_rig_map(R"({"animbridge_rig_map": 1, )" + members + "}", avatar()).value();
}

std::string complaint(const std::string& json) {
    const auto map = rig::armature::read_rig_map(json, avatar());
    REQUIRE_FALSE(map.has_value());
    CHECK(map.error().code == ErrorCode::bad_value);
    return map.error().message();
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every joint is found by its own name", "[rig-map]") {
    for (const sl_anim::avatar::SkeletonJoint& joint : sl_anim::avatar::skeleton()) {
        const std::string& name = joint.node.name;
        INFO(name);
        if (joint.kind != sl_anim::avatar::JointKind::attachment_point || says(name, " ")) {
            CHECK(matches({name}) == Matches{{name, name}});
        }
    }
}

TEST_CASE("every name that the viewer knows for a bone stands for it", "[rig-map]") {
    for (const sl_anim::avatar::SkeletonJoint& joint : sl_anim::avatar::skeleton()) {
        if (joint.kind == sl_anim::avatar::JointKind::bone) {
            for (const std::string_view name : joint.node.aliases) {
                const std::string alias(name);
                INFO(alias);
                CHECK(matches({alias}) == Matches{{joint.node.name, alias}});
            }
        }
    }
}

TEST_CASE("names are taken tolerantly, the exact one first", "[rig-map]") {
    CHECK(matches({"MTORSO"}) == Matches{{"mTorso", "MTORSO"}});
    CHECK(matches({"rig:mTorso"}) == Matches{{"mTorso", "rig:mTorso"}});
    CHECK(matches({"scene:rig:avatar_mtorso"}) == Matches{{"mTorso", "scene:rig:avatar_mtorso"}});
    CHECK(matches({"MTORSO", "mTorso", "avatar_mTorso"}) == Matches{{"mTorso", "mTorso"}});
    // Even a tolerant own name ranks above an alias.
    CHECK(matches({"hip", "Pelvis", "rig:mPelvis"}) == Matches{{"mPelvis", "rig:mPelvis"}});
    CHECK(matches({"Pelvis", "hip"}) == Matches{{"mPelvis", "hip"}});
    // Names of collision volumes are upper case, and the case counts.
    CHECK(matches({"PELVIS"}) == Matches{{"PELVIS", "PELVIS"}});
    CHECK(matches({"L_HAND", "L_Hand"}) == Matches{{"L_HAND", "L_HAND"}, {"mWristLeft", "L_Hand"}});
    CHECK(matches({"Bone", "", "mTorso.001", "avatar_", "rig:"}).empty());
}

TEST_CASE("left and right are understood in the usual spellings", "[rig-map]") {
    for (const char* hand : {"Hand.L", "Hand_L", "Hand-L", "LeftHand", "Left_Hand", "lHand", "L_Hand",
                             "HandLeft", "hand.l", "rig:LeftHand", "WRIST_L", "mWrist.L"}) {
        INFO(hand);
        CHECK(matches({hand}) == Matches{{"mWristLeft", hand}});
    }
    CHECK(matches({"Thigh.R", "Shin.R", "Foot.R", "Toe.R"}) == Matches{{"mHipRight", "Thigh.R"},
                                                                       {"mKneeRight", "Shin.R"},
                                                                       {"mAnkleRight", "Foot.R"},
                                                                       {"mToeRight", "Toe.R"}});
    CHECK(matches({"mHandThumb1.R"}) == Matches{{"mHandThumb1Right", "mHandThumb1.R"}});
    // A word that means different joints in different rigs is not matched.
    CHECK(matches({"Shoulder.L"}).empty());
}

TEST_CASE("of Avastar's bones those that deform win", "[rig-map]") {
    const Matches deforming{{"mPelvis", "mPelvis"},
                            {"mChest", "mChest"},
                            {"mAnkleLeft", "mAnkleLeft"},
                            {"mFootLeft", "mFootLeft"}};
    CHECK(matches({"COG", "COG > Pelvis", "Pelvis > Chest", "Chest > Neck", "Pelvis > AnkleLeft",
                   "AnkleLeft > FootLeft", "Origin > mPelvis", "mPelvis > mChest", "mPelvis > mAnkleLeft",
                   "mAnkleLeft > mFootLeft"}) == [&] {
        Matches all = deforming;
        all["mNeck"] = "Neck";
        return all;
    }());
    CHECK(matches({"COG", "COG > Pelvis", "Pelvis > Torso", "Torso > Chest", "Chest > CollarLeft",
                   "CollarLeft > ShoulderLeft", "ShoulderLeft > ElbowLeft", "ElbowLeft > WristLeft",
                   "Chest > Head", "Head > Skull", "Pelvis > FootLeft"}) ==
          Matches{{"mPelvis", "Pelvis"},
                  {"mTorso", "Torso"},
                  {"mChest", "Chest"},
                  {"mCollarLeft", "CollarLeft"},
                  {"mShoulderLeft", "ShoulderLeft"},
                  {"mElbowLeft", "ElbowLeft"},
                  {"mWristLeft", "WristLeft"},
                  {"mHead", "Head"},
                  {"mSkull", "Skull"},
                  {"mFootLeft", "FootLeft"}});
    CHECK(matches({"aSkull", "aLeft Ear"}) == Matches{{"Skull", "aSkull"}, {"Left Ear", "aLeft Ear"}});
}

TEST_CASE("the spine of another rig is not the avatar's folded one", "[rig-map]") {
    // Mixamo, HumanIK and others call joints of a spine Spine1 to Spine4. mSpine1 and mSpine2 fold back onto
    // mPelvis, so motion on them would bend the avatar twice.
    const std::vector<std::string> mixamo = {
        "Hips",          "Hips > Spine", "Spine > Spine1",   "Spine1 > Spine2",
        "Spine2 > Neck", "Neck > Head",  "Spine2 > LeftArm", "LeftArm > LeftHand"};
    CHECK(matches(mixamo) ==
          Matches{{"mPelvis", "Hips"}, {"mNeck", "Neck"}, {"mHead", "Head"}, {"mWristLeft", "LeftHand"}});
    CHECK(matches({"Spine1", "rig:spine2", "Spine3", "SPINE4"}).empty());
    CHECK(matches(mixamo, read(R"("built_in": true)")) == matches(mixamo));
    // A custom map may still define this.
    CHECK(matches({"Spine1"}, read(R"("built_in": true, "names": {"mSpine1": "Spine1"})")) ==
          Matches{{"mSpine1", "Spine1"}});
    // One bone that only Avastar's and Bento's rigs have identifies them.
    for (const char* own : {"Torso", "mTorso", "rig:torso", "CollarLeft", "mCollarRight"}) {
        INFO(own);
        const Matches found = matches({"Spine1", "Spine2", "Spine3", "Spine4", own});
        CHECK(found.size() == 5);
        CHECK(found.at("mSpine1") == "Spine1");
        CHECK(found.at("mSpine4") == "Spine4");
    }
}

TEST_CASE("a group of names may count only beside a bone of the rig", "[rig-map]") {
    const auto map = read(R"("sides": [["*.L", "*.R"]], "aliases": [
        {"from": "fox", "only_with": ["Snout", "Brush"], "joints": {"mNeck": ["Hals"], "mWrist*": ["Paw"]}}])");
    CHECK(matches({"Hals", "Paw.L"}, map).empty());
    CHECK(matches({"Hals", "Paw.L", "snout"}, map) == Matches{{"mNeck", "Hals"}, {"mWristLeft", "Paw.L"}});
    CHECK(matches({"Hals", "rig:Brush"}, map) == Matches{{"mNeck", "Hals"}});
}

TEST_CASE("a word that names a body part, too, is an attachment point below its joint only", "[rig-map]") {
    CHECK(matches({"mChest", "mChest > Chest", "mChest > Left_Shoulder"}) ==
          Matches{{"mChest", "mChest"}, {"Chest", "Chest"}});
    CHECK(matches({"mCollarLeft", "mCollarLeft > Left_Shoulder"}) ==
          Matches{{"mCollarLeft", "mCollarLeft"}, {"Left Shoulder", "Left_Shoulder"}});
    CHECK(matches({"mWristLeft", "mWristLeft > Left_Hand"}) ==
          Matches{{"mWristLeft", "mWristLeft"}, {"Left Hand", "Left_Hand"}});
    CHECK(matches({"Spine", "Jaw", "Top"}).empty());
}

TEST_CASE("two equally good bones are an error that lists them", "[rig-map]") {
    const auto error = [](const std::vector<std::string>& rows) {
        const auto result =
            rig::armature::map_bones(avatar(), bones(rows), sl_anim::avatar::avatar_rig_map());
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().code == ErrorCode::bad_value);
        return result.error().message();
    };
    const std::string one = error({"Hand.L", "mHead", "lForeArm", "Wrist_L"});
    CHECK(says(one, "mWristLeft"));
    CHECK(says(one, "'Hand.L', 'Wrist_L'"));
    CHECK_FALSE(says(one, "mHead"));
    const std::string two = error({"Hand.L", "Hand_L", "Foot.R", "RightFoot"});
    CHECK(says(two, "mWristLeft may be 'Hand.L', 'Hand_L'"));
    CHECK(says(two, "mAnkleRight may be 'Foot.R', 'RightFoot'"));
    CHECK(says(error({"mPelvis", "mPelvis"}), "'mPelvis', 'mPelvis'"));
    CHECK(says(error(std::vector<std::string>(11, "hip")), "and 5 more"));
    // A better bone decides.
    CHECK(matches({"Hand.L", "Hand_L", "mWristLeft"}) == Matches{{"mWristLeft", "mWristLeft"}});
}

TEST_CASE("a map of one's own", "[rig-map]") {
    const auto map = read(R"("names": {"mPelvis": "Root", "mHead": "Pelvis"},
        "sides": [["*~l", "*~r"]],
        "aliases": [{"from": "mine", "joints": {"mWrist*": ["Paw"], "mTorso": ["Belly"]}},
                    {"from": "exactly", "exact": true, "joints": {"mNeck": ["Hals"]}}])");
    CHECK(matches({"mPelvis", "Root", "Paw~l", "PAW~R", "belly", "Hals"}, map) ==
          Matches{{"mPelvis", "Root"},
                  {"mWristLeft", "Paw~l"},
                  {"mWristRight", "PAW~R"},
                  {"mTorso", "belly"},
                  {"mNeck", "Hals"}});
    // The map's own names match exactly and rank first; the built-in map applies only if the map says so.
    CHECK(matches({"root", "hals", "hip", "Hand.L", "Pelvis"}, map) == Matches{{"mHead", "Pelvis"}});
    const auto more = read(R"("built_in": true, "names": {"mPelvis": "Root"},
        "aliases": [{"from": "mine", "joints": {"mTorso": ["chest"], "mToe*": ["Claw"]}}])");
    CHECK(matches({"Root", "hip", "chest", "neck", "avatar_mHead", "Claw.L"}, more) ==
          Matches{{"mPelvis", "Root"},
                  {"mTorso", "chest"},
                  {"mNeck", "neck"},
                  {"mHead", "avatar_mHead"},
                  {"mToeLeft", "Claw.L"}});
    CHECK(matches({"mChest", "mChest > Chest"}, more) == Matches{{"mChest", "mChest"}, {"Chest", "Chest"}});
}

TEST_CASE("the built-in map reads back as itself", "[rig-map]") {
    const auto again = rig::armature::read_rig_map(rig::armature::built_in_rig_map_json(), avatar()).value();
    const auto& map = sl_anim::avatar::avatar_rig_map();
    CHECK(map.name == "Second Life");
    REQUIRE(again.tables.size() == map.tables.size());
    for (std::size_t i = 0; i < map.tables.size(); ++i) {
        CHECK(again.tables[i].node_of == map.tables[i].node_of);
    }
}

TEST_CASE("a broken map tells where it is broken", "[rig-map]") {
    CHECK(says(complaint("{"), "not JSON"));
    CHECK(says(complaint("[]"), "animbridge_rig_map"));
    CHECK(says(complaint(R"({"name": "x"})"), "animbridge_rig_map: rig map: is missing"));
    CHECK(says(complaint(R"({"animbridge_rig_map": 2})"), "found 2"));
    const auto broken = [](const std::string& members) {
        return complaint(R"({"animbridge_rig_map": 1, )" + members + "}");
    };
    CHECK(says(broken(R"("joints": {})"), "joints: rig map: is not a member"));
    CHECK(says(broken(R"("names": {"mPelvs": "a"})"), "'mPelvs' is not a joint"));
    CHECK(says(broken(R"("names": {"mPelvis": 3})"), "names.mPelvis"));
    CHECK(says(broken(R"("names": {"mPelvis": ""})"), "not empty"));
    CHECK(says(broken(R"("names": {"mPelvis": "a", "mHead": "a"})"), "stands for mPelvis and for mHead"));
    CHECK(says(broken(R"("names": [])"), "an object"));
    CHECK(says(broken(R"("prefixes": "a")"), "array of at most 256 strings"));
    CHECK(says(broken(R"("sides": [["L", "R"]])"), "each with one *"));
    CHECK(says(broken(R"("sides": {})"), "at most 64"));
    CHECK(says(broken(R"("aliases": {})"), "at most 256"));
    CHECK(says(broken(R"("aliases": [3])"), "a member of an object"));
    CHECK(says(broken(R"("aliases": [{"joints": {}}])"), "from"));
    CHECK(says(broken(R"("aliases": [{"from": "a", "exact": 1, "joints": {}}])"), "true or false"));
    CHECK(says(broken(R"("aliases": [{"from": "a", "only_with": "b", "joints": {}}])"), "aliases.only_with"));
    CHECK(says(broken(R"("aliases": [{"from": "a", "joints": {"mHand*": ["x"]}}])"), "sides"));
    // Tolerant matching cannot tell names apart that differ only in case.
    CHECK(says(broken(R"("aliases": [{"from": "a", "joints": {"mHead": ["x"], "mNeck": ["X"]}}])"),
               "stands for mHead and for mNeck"));
    CHECK(says(broken(R"("built_in": "yes")"), "true or false"));
    std::string many = R"("sides": [["*l", "*r"]], "aliases": [{"from": "a", "joints": {"mToe*": ["0")";
    for (int i = 1; i < 60000; ++i) {
        many += ",\"" + std::to_string(i) + "\"";
    }
    CHECK(says(broken(many + "]}}]"), "more than 200000 names"));
    std::string prefixes = R"("prefixes": ["0")";
    for (int i = 1; i <= 256; ++i) {
        prefixes += ",\"" + std::to_string(i) + "\"";
    }
    CHECK(says(broken(prefixes + "]"), "at most 256"));
    CHECK(says(broken(R"("below_parent": {"mHead": "x"})"), "array of at most 200000 strings"));
}
