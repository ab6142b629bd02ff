// SPDX-License-Identifier: MIT
// What check finds in a BVH: a file for each rule.
#include <algorithm>
#include <set>

#include "bvh_texts.h"
#include "catch.h"
#include "formats/bvh/check/check.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

using Ids = std::set<std::string>;

Ids found_in(std::string_view text, CheckLevel level = CheckLevel::strict) {
    Ids ids;
    for (const Finding& finding : bvh::check::check(read_text(text, Reading::lenient).value(), level)) {
        ids.emplace(finding.rule->id);
    }
    return ids;
}

/// A file without findings.
std::string fine() { return std::string(plain_bvh) + "1 2 3 4 5 6 7 8 9\n"; }
std::string fine_bvh() { return replaced(fine(), "Frames: 2", "Frames: 3"); }

/// The ids of the findings that a change adds.
Ids found_after(std::string_view from, std::string_view to) {
    return found_in(replaced(fine_bvh(), from, to));
}

constexpr std::string_view chest_channels = "CHANNELS 3 Zrotation Xrotation Yrotation";

}  // namespace

TEST_CASE("a BVH with nothing wrong has no findings", "[bvh-check]") { CHECK(found_in(fine_bvh()).empty()); }

TEST_CASE("each rule is found where it is broken", "[bvh-check]") {
    CHECK(found_after("\t\tOFFSET 0 5.5 -1.25\n", "") == Ids{"offset_missing", "offset_zero"});
    CHECK(found_after("\t\tEnd Site", "EndSite") == Ids{"end_site_spelling"});
    CHECK(found_after("5.5", "5,5") == Ids{"decimal_comma"});
    CHECK(found_after("Frames: 3", "Frames: 4") == Ids{"frame_count_differs"});
    CHECK(found_after("7 8 9\n", "7 8 9\n1\n") == Ids{"frame_incomplete"});
    CHECK(found_in(fine_bvh() + "# end") == Ids{"text_after_motion"});
    CHECK(found_in(fine_bvh() + '\0') == Ids{"text_after_nul"});
    CHECK(found_after("CHANNELS 3", "CHANNELS 4") == Ids{"channel_count_differs"});
    CHECK(found_after("}\nMOTION", "MOTION") == Ids{"braces_differ"});
    CHECK(found_after("OFFSET 0 1 2\n", "OFFSET 0 1 2\nOFFSET 0 1 2\n") == Ids{"entry_repeated"});
    CHECK(found_after(" chest", "") == Ids{"name_empty"});
    CHECK(found_after("chest", "hip") == Ids{"name_duplicate"});
    CHECK(found_after("chest", "left hand") == Ids{"name_with_blank", "upload_name_cut"});
    CHECK(found_after("chest", std::string(80, 'x')) == Ids{"upload_name_cut"});
    CHECK(found_after("ROOT hip", "ROOT root") == Ids{"upload_first_joint"});
    CHECK(found_after("0.05", "0") == Ids{"frame_time_zero"});
    CHECK(found_after("0.05", "-1") == Ids{"frame_time_negative"});
    CHECK(found_after("0.05", "0.0001") == Ids{"frame_time_unusual"});
    CHECK(found_after("0.05", "60") == Ids{"frame_time_unusual"});
    CHECK(found_after("0.05", "60.01") == Ids{"frame_time_unusual", "upload_too_long"});
    CHECK(found_after("9.5", "3.5e38") == Ids{"value_beyond_float"});
    CHECK(found_after("\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 3 0\n\t\t}\n", "") == Ids{"end_site_missing"});
    CHECK(found_after("OFFSET 0 3 0", "OFFSET 0 0 0") == Ids{"offset_zero"});
    CHECK(found_after(chest_channels, "CHANNELS 3 Zrotation Xrotation Zrotation") ==
          Ids{"channel_duplicate", "rotation_partial"});
    CHECK(found_after(chest_channels, "CHANNELS 3 Xposition Yposition Zposition") ==
          Ids{"positions_on_joint", "upload_rotations"});
    CHECK(found_after(chest_channels, "CHANNELS 3 Xscale Yscale Zscale") ==
          Ids{"channel_scale", "upload_rotations"});
}

TEST_CASE("rules about frames and channel counts", "[bvh-check]") {
    const auto upload = [](std::string_view text) { return found_in(text); };
    CHECK(found_in(plain_bvh) == Ids{"upload_few_frames"});
    CHECK(found_in(replaced(plain_bvh.substr(0, plain_bvh.find("-1 -2.5")), "Frames: 2", "Frames: 1")) ==
          Ids{"frame_single", "upload_few_frames"});
    CHECK(found_in(replaced(plain_bvh.substr(0, plain_bvh.find("1 2 3 4")), "Frames: 2", "Frames: 0")) ==
          Ids{"frames_none", "upload_few_frames"});
    CHECK(found_in(plain_bvh.substr(0, plain_bvh.find("MOTION"))) ==
          Ids{"motion_missing", "frames_none", "frame_time_zero", "upload_few_frames"});
    CHECK(found_in(replaced(fine_bvh(), "-1 -2.5 -0 0.125 1000 6 7 8 9.5", "1 2 3 4 5 6 7 8 9")) ==
          Ids{"nothing_moves"});
    const std::string six =
        "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT b\n{\n"
        "OFFSET 1 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
        "End Site\n{\nOFFSET 1 0 0\n}\n}\n}\nMOTION\nFrames: 3\nFrame Time: 0.1\n"
        "1 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 7 8 8\n1 2 3 4 5 6 7 8 9\n";
    CHECK(found_in(six) == Ids{"upload_joint_positions", "positions_on_joint"});
    CHECK(
        upload(replaced(six, "CHANNELS 6 Xposition Yposition Zposition", "CHANNELS 5 Xposition Yposition")) ==
        Ids{"frame_incomplete", "positions_on_joint", "upload_channel_count"});
    CHECK(
        upload(replaced(six, "CHANNELS 3 Zrotation Xrotation Yrotation\n", "")).contains("channels_missing"));
    CHECK(upload(replaced(replaced(six, "CHANNELS 3 Zrotation Xrotation Yrotation\n", ""), "}\n}\n}\n",
                          "}\n}\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n"))
              .contains("channels_after_children"));
}

TEST_CASE("findings name the line or the joint, and levels add up", "[bvh-check]") {
    const auto findings = bvh::check::check(
        read_text(replaced(fine_bvh(), "5.5", "5,5"), Reading::lenient).value(), CheckLevel::playback);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].line == 8);
    CHECK(findings[0].found == "\"5,5\"");
    const auto large =
        bvh::check::check(read_text(replaced(fine_bvh(), "9.5", "-1e39")).value(), CheckLevel::playback);
    REQUIRE(large.size() == 1);
    CHECK(large[0].joint == "chest");
    CHECK(large[0].key == 1);
    CHECK(found_in(plain_bvh, CheckLevel::playback).empty());
    // A name that Second Life refuses, and a bone without length, which hardly any program minds.
    const std::string other =
        replaced(replaced(fine_bvh(), "ROOT hip", "ROOT root"), "OFFSET 0 3 0", "OFFSET 0 0 0");
    CHECK(found_in(other, CheckLevel::playback).empty());
    CHECK(found_in(other, CheckLevel::upload) == Ids{"upload_first_joint"});
    CHECK(found_in(other, CheckLevel::strict) == Ids{"upload_first_joint", "offset_zero"});
    CHECK(check_level_named("upload") == CheckLevel::upload);
    CHECK(!check_level_named("other"));
}

TEST_CASE("every rule of a BVH has an id of its own, and text", "[bvh-check]") {
    Ids ids;
    for (const Rule& rule : bvh::file::rules()) {
        CHECK(ids.emplace(rule.id).second);
        CHECK(rule.effect.ends_with('.'));
        CHECK(rule.advice.ends_with('.'));
    }
}
