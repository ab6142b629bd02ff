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
    CHECK(key("ULArm").part == "uarm");
    CHECK(key("ULArm").side == Side::left);
    CHECK(key("URLeg").side == Side::right);
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

TEST_CASE("accents are no part of a name", "[joint-name]") {
    CHECK(key("Hüfte").whole == "hufte");
    CHECK(key("HU\xcc\x88"
              "FTE")
              .whole == "hufte");  // an accent of its own
    CHECK(key("Fuß_links").part == "fuss");
    CHECK(key("pé.L").part == "pe");
    CHECK(key("Rücken").side == Side::centre);
    CHECK(key("Épaule droite").part == "epaule");
    CHECK(key("左足・先").part == "足先");
    CHECK(tokens_of(std::string("H\xc3", 2)).tokens.size() == 2);  // cut
}

TEST_CASE("sides in other languages", "[joint-name]") {
    for (const char* name : {"main_gauche", "mano izquierda", "MaoEsquerda", "ManoSinistra", "zuo_shou",
                             "左手", "hidari_te", "HandLinks", "mano.izq", "mano_sx"}) {
        INFO(name);
        CHECK(key(name).side == Side::left);
    }
    for (const char* name : {"main_droite", "brazo_derecho", "mao_direita", "mano_destra", "you_shou", "右手",
                             "migi_te", "rechte_Hand", "mano.der", "mano_dx"}) {
        INFO(name);
        CHECK(key(name).side == Side::right);
    }
}

TEST_CASE("numbers that count joints tell nothing", "[joint-name]") {
    using Names = std::vector<std::string>;
    CHECK(has_numbers_of_their_own(
        Names{"root", "Hips_01", "Spine_02", "Spine1_03", "Arm_L_04", "Arm_R_05", "Head_06"}));
    // The number tells these apart, some have none, or there are too few to know.
    CHECK_FALSE(has_numbers_of_their_own(Names{"a_01", "b_01", "a_02", "b_02", "a_03", "b_03"}));
    CHECK_FALSE(has_numbers_of_their_own(Names{"spine1", "spine2", "spine3", "finger1", "finger2"}));
    CHECK_FALSE(has_numbers_of_their_own(Names{"a_1", "b_2", "c_3", "d_4", "e_5", "f", "g", "h"}));
    CHECK_FALSE(has_numbers_of_their_own(Names{"a_1", "b_2", "c_3"}));
    CHECK(without_number("Spine1_020") == "Spine1");
    CHECK(without_number("Bone.001") == "Bone");
    CHECK(without_number("spine1") == "spine1");
    CHECK(without_number("_01") == "_01");
}

TEST_CASE("words that say that a joint is a joint tell nothing where most names have them", "[joint-name]") {
    using Names = std::vector<std::string>;
    const Names most = {
        "C_spine0001_bind_JNT", "L_bind_hand_JNT", "jnt_head", "LeftArmBone", "toe.bone", "JNT", "foot"};
    CHECK(bare_names(most) ==
          std::vector<std::string>{"C_spine0001", "L_hand", "head", "LeftArm", "toe", "JNT", "foot"});
    const Names counted = {"a_bind_1", "b_bind_2", "c_bind_3", "d_bind_4", "e_bind_5"};
    CHECK(bare_names(counted) == std::vector<std::string>{"a", "b", "c", "d", "e"});
    const Names few = {"LHipJoint", "RHipJoint", "LeftUpLeg", "LeftLeg", "Hips"};
    CHECK(bare_names(few).front() == "LHipJoint");
}

TEST_CASE("a first letter L beside a side at the end means lower", "[joint-name]") {
    CHECK(key("LArmR").side == Side::right);
    CHECK(key("LArmR").part == "larm");
    CHECK(key("LLegL").part == "lleg");
    CHECK(key("L_Arm").part == "arm");
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
