// SPDX-License-Identifier: MIT
// What a finding about content says. Which files break which rule is tested against the witness
// (tests/python/test_content.py).
#include <algorithm>

#include "build.h"
#include "catch.h"
#include "formats/sl_anim/check/check.h"

using namespace animbridge;
using namespace animbridge::test;
using sl_anim::check::CheckOptions;

namespace {

const Finding& finding_of(const std::vector<Finding>& findings, std::string_view id) {
    for (const Finding& finding : findings) {
        if (finding.rule->id == id) {
            return finding;
        }
    }
    FAIL("no finding " << id);
    throw 0;
}

/// A joint that turns about Y from rest to the sine of half its angle.
sl_anim::file::Joint turning(std::string name, double y) {
    return joint(std::move(name), {rotation_key(0, 0, 0, 0), rotation_key(1, 0, y, 0)});
}

}  // namespace

TEST_CASE("a content finding begins with the worst joint", "[check]") {
    const auto found = sl_anim::check::check(
        looped(document(1.0F, {turning("mTorso", 0.1), turning("mChest", 0.2), turning("mHead", 0.15)}), 0.0F,
               1.0F),
        {CheckLevel::upload, {}, {}});
    const Finding& jump = finding_of(found, "loop_jumps");
    CHECK(jump.joint == "mChest");
    CHECK(jump.joints == std::vector<std::string>{"mChest", "mHead", "mTorso"});
    CHECK(jump.seconds == 1.0);
    // 2 asin(0.2) = 23.07 degrees in 1 s: 2.3 in a frame of at most 0.1 s.
    CHECK(summary_of(jump) ==
          "3 joints: mChest, mHead, mTorso; worst: 23 degrees, with steps of 2.3 degrees, at 1.000 s");
}

TEST_CASE("how far the viewer moves a body", "[check]") {
    // mNeck rests at 0.251 m: 100 mm more make the trunk longer, so the body moves down by half of that.
    const auto neck = [](double metres) { return position_key(0, -0.01, 0, 0.251 + metres); };
    const auto found = sl_anim::check::check(document(1.0F, {joint("mNeck", {}, {neck(0.1)})}),
                                             {CheckLevel::upload, {}, {}});
    CHECK(finding_of(found, "height_changes").found == "50 mm down, 50 mm down at the end, at 0.000 s");
    CHECK(finding_of(found, "height_changes").joint == "mNeck");
    CHECK(finding_of(found, "position_track_sticks").found == "100 mm away, at 1.000 s");
}

TEST_CASE("rules about a purpose need the purpose", "[check]") {
    const auto pose = document(1.0F, {turning("mTorso", 0.1), turning("mHipLeft", 0.1)});
    const auto count = [&](std::string purpose) {
        const auto found = sl_anim::check::check(pose, {CheckLevel::upload, {}, std::move(purpose)});
        return std::ranges::count_if(found, [](const Finding& f) { return f.rule->id == "below_ao"; });
    };
    CHECK(count("") == 0);
    CHECK(count("dance") == 1);
    CHECK(count("stand") == 0);
}

TEST_CASE("no content is judged in a file that the viewer refuses", "[check]") {
    auto jumping = looped(document(1.0F, {turning("mChest", 0.2)}), 0.0F, 1.0F);
    jumping.hand_pose = 15;
    for (const Finding& finding : sl_anim::check::check(jumping, {CheckLevel::strict, {}, {}})) {
        CHECK(finding.rule->id != "loop_jumps");
    }
}
