// SPDX-License-Identifier: MIT
// One name in many ways of writing. Expectations are the spellings that docs/rig-maps.md lists.
#include "catch.h"
#include "rig/humanoid/humanoid.h"
#include "rig/humanoid/parts.h"

using namespace animbridge;
using namespace animbridge::rig::humanoid;

namespace {

NameKey key(const std::string& name) { return key_of(tokens_of(name)); }

}  // namespace

TEST_CASE("a side is found wherever a name has it", "[joint-name]") {
    for (const char* name :
         {"LeftArm", "left_arm", "arm_l", "Arm.L", "L Arm", "L_Arm", "lArm", "Arm-Left", "leftarm", "LEFTARM",
          "armLeft", "rig:LeftArm", "a|b:arm_L", "Arm links", "hidari_arm", "Ｌｅｆｔ　Ａｒｍ"}) {
        INFO(name);
        CHECK(key(name).part == "arm");
        CHECK(key(name).side == Side::left);
    }
    CHECK(key("右腕").side == Side::right);
    CHECK(key("右腕").part == "腕");
    CHECK(key("LUArm").part == "uarm");
    CHECK(key("LHipJoint").part == "hipjoint");
}

TEST_CASE("a letter inside a word is no side", "[joint-name]") {
    for (const char* name : {"lowerback", "Root", "Reference", "Roll", "leaf", "rib", "Ring"}) {
        INFO(name);
        CHECK(key(name).side == Side::centre);
    }
}

TEST_CASE("digits stay as they are written", "[joint-name]") {
    CHECK(key("Bip01 L Finger01").whole != key("Bip01 L Finger1").whole);
    CHECK(key("finger1-1.L").part != key("finger11.L").part);
    CHECK(key("spine_01").whole == key("Spine01").whole);
    CHECK(key("左親指０").part == key("左親指0").part);
    CHECK(key("__Clavicle_L").part != key("Clavicle_L").part);
}

TEST_CASE("names that no rig has give no key", "[joint-name]") {
    CHECK(tokens_of("").tokens.empty());
    CHECK(tokens_of("...").tokens.empty());
    CHECK(tokens_of(std::string(300, 'a')).tokens.empty());
    CHECK(tokens_of(std::string("\xff\xef\xbc", 3)).tokens.size() == 1);  // cut full width
    CHECK(key("L").part.empty());
}

TEST_CASE("shared prefixes are no sides, and suffixes no numbers", "[joint-name]") {
    const auto shared = [](const std::vector<std::string>& names) {
        std::vector<NameTokens> tokens;
        for (const std::string& name : names) {
            tokens.push_back(tokens_of(name));
        }
        return shared_tokens(tokens);
    };
    const auto rig =
        shared({"my_rig_hips_jnt", "my_rig_head_jnt", "my_rig_arm_jnt", "my_rig_leg_jnt", "root"});
    CHECK(rig.prefix == std::vector<std::string>{"my", "rig"});
    CHECK(rig.suffix == std::vector<std::string>{"jnt"});
    CHECK(shared({"LeftHand", "LeftArm", "LeftLeg", "LeftFoot", "LeftToe"}).prefix.empty());
    CHECK(shared({"a_1", "b_1", "c_1", "d_1", "e_1"}).suffix.empty());
    CHECK(shared({"my_a", "my_b", "my_c", "my_d"}).prefix.empty());  // too few for a decision
}

TEST_CASE("roles go by patterns that are open at the ends", "[joint-name]") {
    RigFile rig;
    rig.roles = {{JointRole::twist, {"*twist*"}},
                 {JointRole::leaf, {"*_end"}},
                 {JointRole::helper, {"ik_*", "mSpine1"}}};
    const JointRoles roles(rig);
    CHECK(roles.of("upperarm_Twist_01_l") == JointRole::twist);
    CHECK(roles.of("rig:Toe.End") == JointRole::leaf);
    CHECK(roles.of("Bend") == JointRole::none);
    CHECK(roles.of("IK foot") == JointRole::helper);
    CHECK(roles.of("mspine1") == JointRole::helper);
    CHECK(roles.of("mSpine11") == JointRole::none);
}
