// SPDX-License-Identifier: MIT
// What `check` says beyond the ids, which test_documents.cpp holds against the manifest.
#include <algorithm>

#include "build.h"
#include "catch.h"
#include "formats/sl_anim/check.h"

using namespace animbridge;
using namespace animbridge::test;
using sl_anim::CheckOptions;
using sl_anim::Level;

namespace {

std::vector<Finding> findings_of(const sl_anim::Document& document, std::string_view id,
                                 const CheckOptions& options = {}) {
    std::vector<Finding> found;
    for (const Finding& finding : sl_anim::check(document, options)) {
        if (finding.rule->id == id) {
            found.push_back(finding);
        }
    }
    return found;
}

}  // namespace

TEST_CASE("every rule says what happens and what to do", "[check]") {
    std::vector<std::string_view> ids;
    for (const Rule& rule : sl_anim::rules()) {
        INFO(rule.id);
        CHECK_FALSE(rule.effect.empty());
        CHECK_FALSE(rule.advice.empty());
        CHECK(level_named<sl_anim::Level>(sl_anim::level_names, rule.level).has_value());
        CHECK(std::all_of(rule.id.begin(), rule.id.end(),
                          [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; }));
        CHECK(std::find(ids.begin(), ids.end(), rule.id) == ids.end());
        ids.push_back(rule.id);
    }
}

TEST_CASE("rules that depend on the id of the asset", "[check]") {
    sl_anim::Document document = looped(turning_torso(2.0F), 0.0F, 2.0F);
    const std::string id = "01234567-89ab-cdef-0123-456789abcdef";
    document.emote_name = id;
    CHECK(findings_of(document, "emote_starts_itself").empty());
    CHECK(findings_of(document, "emote_starts_itself", {Level::playback, id}).size() == 1);
    // The two female landings never loop.
    const std::string landing = "ca1baf4d-0a18-5a1f-0330-e4bd1e71f09e";
    CHECK(findings_of(document, "loop_forced_off").empty());
    CHECK(findings_of(document, "loop_forced_off", {Level::playback, landing}).size() == 1);
    document.loop = 0;
    CHECK(findings_of(document, "loop_forced_off", {Level::playback, landing}).empty());
}

TEST_CASE("places of findings", "[check]") {
    // Header 41 bytes; record 1: "mTorso" 7 + 4 + 4 + 16 + 4 = 35; record 2 begins at 76.
    sl_anim::Document document = turning_torso(2.0F);
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

TEST_CASE("of one rule a hundred findings are kept and the rest counted", "[check]") {
    std::vector<sl_anim::Joint> joints;
    for (int i = 0; i < 150; ++i) {
        joints.push_back(joint("nobody" + std::to_string(i), {rotation_key(0, 0, 0, 0)}));
    }
    const auto found = findings_of(document(1.0F, joints), "joint_unknown");
    REQUIRE(found.size() == 100);
    CHECK(found.back().found.find("50 more") != std::string::npos);
}

TEST_CASE("levels", "[check]") {
    CHECK(level_named<sl_anim::Level>(sl_anim::level_names, "playback") == Level::playback);
    CHECK(level_named<sl_anim::Level>(sl_anim::level_names, "upload") == Level::upload);
    CHECK(level_named<sl_anim::Level>(sl_anim::level_names, "strict") == Level::strict);
    CHECK_FALSE(level_named<sl_anim::Level>(sl_anim::level_names, "Strict").has_value());
    CHECK_FALSE(level_named<sl_anim::Level>(sl_anim::level_names, "").has_value());
    CHECK(finding_class_named("risky") == FindingClass::risky);
    CHECK_FALSE(finding_class_named("never").has_value());
}
