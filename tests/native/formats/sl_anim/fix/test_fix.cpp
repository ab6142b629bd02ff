// SPDX-License-Identifier: MIT
// The table of mends, and the proof that refuses what a mend does not say. Which files are mended, and how,
// is tested against the witness (tests/python/test_fix.py).
#include <algorithm>
#include <set>

#include "build.h"
#include "catch.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/fix/fix.h"
#include "formats/sl_anim/fix/mends.h"

using namespace animbridge;
using namespace animbridge::test;
using sl_anim::file::Document;
using sl_anim::fix::Change;
using sl_anim::fix::proven;

namespace {

/// Two joints that turn about Y, with a key in the middle.
Document torso_and_head() {
    const auto turning = [](std::string name) {
        return joint(std::move(name),
                     {rotation_key(0, 0, 0, 0), rotation_key(0.25, 0, 0.05, 0), rotation_key(0.5, 0, 0.1, 0),
                      rotation_key(0.75, 0, 0.05, 0), rotation_key(1, 0, 0, 0)});
    };
    return document(1.0F, {turning("mTorso"), turning("mHead")});
}

Change change_of_torso() {
    return {.joints = {"mTorso"}, .degrees = 12, .begin_seconds = 0.25, .end_seconds = 0.75};
}

void check_refused_change(const Document& after, const Change& change, const std::string& text) {
    const auto moved = proven(torso_and_head(), after, change);
    REQUIRE_FALSE(moved.has_value());
    CAPTURE(moved.error());
    CHECK(moved.error().find(text) != std::string::npos);
}

}  // namespace

TEST_CASE("every mend is of a rule, and each rule has one at most", "[fix]") {
    std::set<std::string_view> seen;
    for (const auto& mends :
         {sl_anim::fix::part_mends(), sl_anim::fix::key_mends(), sl_anim::fix::loop_mends(),
          sl_anim::fix::position_mends(), sl_anim::fix::header_mends()}) {
        for (const sl_anim::fix::Mend& mend : mends) {
            const auto rules = sl_anim::check::rules();
            CAPTURE(mend.rule);
            CHECK(std::ranges::find(rules, mend.rule, &Rule::id) != rules.end());
            CHECK(seen.insert(mend.rule).second);
        }
    }
    CHECK(seen.size() > 20);
}

TEST_CASE("a change that says what it does is proven, and measured", "[fix]") {
    Document after = torso_and_head();
    after.joints[0].rotation.coded[2] = rotation_key(0.5, 0, 0.0, 0);
    const auto moved = proven(torso_and_head(), after, change_of_torso());
    REQUIRE(moved.has_value());
    CHECK(moved->degrees == Approx(11.478).margin(0.01));  // 2 asin(0.1)
    CHECK(moved->mm > 50.0);                               // the head and what it carries
}

TEST_CASE("a change beyond what it says is caught", "[fix]") {
    const auto key = [](std::size_t joint_index, std::size_t key_index, double y) {
        Document made = torso_and_head();
        auto& keys = made.joints[joint_index].rotation.coded;
        keys[key_index].xyz = rotation_key(0, 0, y, 0).xyz;
        return made;
    };
    check_refused_change(key(1, 2, 0.0), change_of_torso(), "keys of other joints or times");
    check_refused_change(key(0, 4, 0.0001), change_of_torso(), "keys of other joints or times");
    check_refused_change(key(0, 2, 0.3), change_of_torso(), "would move joints by");
    Document longer = torso_and_head();
    longer.joints[1].rotation.coded.push_back(rotation_key(1, 0, 0.1, 0));
    check_refused_change(longer, change_of_torso(), "keys of other joints or times");
    Document stronger = torso_and_head();
    stronger.joints[1].priority = 5;
    check_refused_change(stronger, change_of_torso(), "keys of other joints or times");
    Document fewer = torso_and_head();
    fewer.joints.pop_back();
    check_refused_change(fewer, change_of_torso(), "keys of other joints or times");
    Document more = torso_and_head();
    more.joints.push_back(joint("mChest", {rotation_key(0, 0, 0.1, 0)}));
    check_refused_change(more, change_of_torso(), "keys of other joints or times");
    // What comes before a changed key turns at other times.
    Document early = key(0, 1, 0.08);
    Change middle = change_of_torso();
    middle.begin_seconds = 0.2;
    check_refused_change(early, middle, "at other times");
}

TEST_CASE("a file without findings stays the same", "[fix]") {
    Document clean = looped(turning_torso(1.0F), 1.0F, 1.0F);
    clean = eased(clean, 0.3F, 0.3F);
    clean.trailing = {1, 2, 3};
    const auto made = sl_anim::fix::fixed(clean, Json::object(), "");
    REQUIRE(made.has_value());
    CHECK(made->document == clean);
    CHECK(made->report["fixed"].empty());
}

TEST_CASE("a file of more than two million keys is checked, and left as it is", "[fix]") {
    // A loop without eases, with one key at each time, in as many joints as it takes.
    Document large = looped(turning_torso(1.0F), 1.0F, 1.0F);
    large.ease_in_duration = RawFloat(0.0F);
    const Json only = {{"only", Json::array({"ease_zero"})}};
    const auto small = sl_anim::fix::fixed(large, only, "");
    REQUIRE(small.has_value());
    CHECK(small->report["fixed"].size() == 1);
    for (const char* const name : {"mHead", "mNeck", "mChest", "mPelvis"}) {
        sl_anim::file::Joint still = joint(name, {});
        still.rotation.coded.assign(500'000, rotation_key(0, 0, 0, 0));
        large.joints.push_back(std::move(still));
    }
    const auto made = sl_anim::fix::fixed(large, only, "");
    REQUIRE(made.has_value());
    CHECK(made->document == large);
    CHECK(made->report["fixed"].empty());
    CHECK(made->report["left"].dump().find("more than 2,000,000 keys") != std::string::npos);
}
