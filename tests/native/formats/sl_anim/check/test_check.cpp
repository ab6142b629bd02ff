// SPDX-License-Identifier: MIT
// What `check` says beyond the ids, which test_documents.cpp holds against the manifest.
#include <algorithm>

#include "build.h"
#include "catch.h"
#include "formats/sl_anim/check/check.h"

using namespace animbridge;
using namespace animbridge::test;
using sl_anim::check::CheckOptions;

namespace {

std::vector<Finding> findings_of(const sl_anim::file::Document& document, std::string_view id,
                                 const CheckOptions& options = {}) {
    std::vector<Finding> found;
    for (const Finding& finding : sl_anim::check::check(document, options)) {
        if (finding.rule->id == id) {
            found.push_back(finding);
        }
    }
    return found;
}

}  // namespace

TEST_CASE("every rule says what happens and what to do", "[check]") {
    std::vector<std::string_view> ids;
    for (const Rule& rule : sl_anim::check::rules()) {
        INFO(rule.id);
        CHECK_FALSE(rule.effect.empty());
        CHECK_FALSE(rule.advice.empty());
        CHECK(std::all_of(rule.id.begin(), rule.id.end(),
                          [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; }));
        CHECK(std::find(ids.begin(), ids.end(), rule.id) == ids.end());
        ids.push_back(rule.id);
    }
}

TEST_CASE("rules that depend on the id of the asset", "[check]") {
    sl_anim::file::Document document = looped(turning_torso(2.0F), 0.0F, 2.0F);
    const std::string id = "01234567-89ab-cdef-0123-456789abcdef";
    document.emote_name = id;
    CHECK(findings_of(document, "emote_starts_itself").empty());
    CHECK(findings_of(document, "emote_starts_itself", {CheckLevel::playback, id}).size() == 1);
    // The two female landings never loop.
    const std::string landing = "ca1baf4d-0a18-5a1f-0330-e4bd1e71f09e";
    CHECK(findings_of(document, "loop_forced_off").empty());
    CHECK(findings_of(document, "loop_forced_off", {CheckLevel::playback, landing}).size() == 1);
    document.loop = 0;
    CHECK(findings_of(document, "loop_forced_off", {CheckLevel::playback, landing}).empty());
}

TEST_CASE("places of findings", "[check]") {
    // Header 41 bytes; record 1: "mTorso" 7 + 4 + 4 + 16 + 4 = 35; record 2 begins at 76.
    sl_anim::file::Document document = turning_torso(2.0F);
    document.joints.push_back(joint("mRoot", {rotation_key(0, 0, 0, 0)}));
    document.base_priority = -5;
    document.hand_pose = 15;
    const auto forbidden = findings_of(document, "joint_forbidden");
    REQUIRE(forbidden.size() == 1);
    CHECK(forbidden[0].joint == "mRoot");
    CHECK(forbidden[0].byte_offset == 76);
    const auto priority = findings_of(document, "base_priority_too_low");
    REQUIRE(priority.size() == 1);
    CHECK(priority[0].byte_offset == 4);
    CHECK(priority[0].found.find("-5") != std::string::npos);
    const auto hand = findings_of(document, "hand_pose_unknown");
    REQUIRE(hand.size() == 1);
    CHECK(hand[0].byte_offset == 33);  // version 4, priority 4, duration 4, emote 1, loop 12, eases 8
    document.emote_name = "nobody";
    CHECK(findings_of(document, "hand_pose_unknown")[0].byte_offset == 39);
    CHECK(findings_of(document, "joint_forbidden")[0].byte_offset == 82);
    CHECK(findings_of(document, "emote_unknown")[0].byte_offset == 12);
}

TEST_CASE("a rule that many joints break is one finding", "[check]") {
    std::vector<sl_anim::file::Joint> joints;
    for (int i = 0; i < 150; ++i) {
        joints.push_back(joint("nobody" + std::to_string(i), {rotation_key(0, 0, 0, 0)}));
    }
    const auto found = findings_of(document(1.0F, joints), "joint_unknown");
    REQUIRE(found.size() == 1);
    CHECK(found[0].count == 150);
    CHECK(found[0].joint_count == 150);
    CHECK(found[0].joints.size() == 100);
    CHECK(found[0].joint == "nobody0");
    CHECK(summary_of(found[0]) ==
          "150 joints: nobody0, nobody1, nobody2, nobody3, nobody4, nobody5, nobody6, nobody7 and 142 more");
}

TEST_CASE("keys that break a rule are counted", "[check]") {
    const sl_anim::file::CodedKey too_long{0, {65535, 65535, 65535}};
    std::vector<sl_anim::file::Joint> joints;
    for (const char* name : {"mTorso", "mChest"}) {
        joints.push_back(joint(name, {too_long, rotation_key(30000, 0, 0, 0), too_long}));
    }
    auto found = findings_of(document(1.0F, joints), "rotation_longer_than_one");
    REQUIRE(found.size() == 1);
    CHECK(found[0].key == 0);
    CHECK(summary_of(found[0]) == "4 keys of 2 joints: mTorso, mChest; first: length 1.7321");
    joints.pop_back();
    found = findings_of(document(1.0F, joints), "rotation_longer_than_one");
    CHECK(summary_of(found.at(0)) == "2 keys; first: length 1.7321");
    CHECK(found.at(0).joint == "mTorso");
}

TEST_CASE("levels", "[check]") {
    CHECK(check_level_named("playback") == CheckLevel::playback);
    CHECK(check_level_named("upload") == CheckLevel::upload);
    CHECK(check_level_named("strict") == CheckLevel::strict);
    CHECK_FALSE(check_level_named("Strict").has_value());
    CHECK_FALSE(check_level_named("").has_value());
    CHECK(finding_class_named("risky") == FindingClass::risky);
    CHECK_FALSE(finding_class_named("never").has_value());
}
