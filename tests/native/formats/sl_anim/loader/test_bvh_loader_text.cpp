// SPDX-License-Identifier: MIT
// How Second Life's BVH loader reads a file: rules 1 to 3, and the depth of rule 9, of the specification.
#include <cmath>

#include "bvh_text.h"
#include "catch.h"
#include "formats/sl_anim/loader/loader.h"

using namespace animbridge;
using namespace animbridge::sl_anim::codes;
using namespace animbridge::sl_anim::loader;
using namespace animbridge::test;

namespace {

const std::string frame = "1 2 3 4 5 6 7 8 9";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const std::size_t place = text.find(what);
    REQUIRE(place != std::string::npos);
    return text.replace(place, what.size(), with);
}

BvhMotion read(const std::string& text) {
    const auto motion = read_bvh_as_viewer(bytes_of(text));
    INFO(text);
    INFO((motion ? "" : motion.error().message()));
    REQUIRE(motion.has_value());
    return *motion;
}

/// Checks the refusal's line, and words in its reason.
void refused(const std::string& text, std::int64_t line, const std::string& words) {
    const auto motion = read_bvh_as_viewer(bytes_of(text));
    INFO(text);
    REQUIRE(!motion.has_value());
    INFO(motion.error().message());
    CHECK(motion.error().code == ErrorCode::rejected);
    CHECK(motion.error().line == line);
    CHECK(motion.error().message().find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("a plain file is read", "[bvh-loader]") {
    const BvhMotion motion = read(two_joints({frame, "0 0 0 0 0 0 0.5 -.5 5."}));
    CHECK(motion.frames == 2);
    CHECK(motion.frame_time_seconds == 0.1F);
    REQUIRE(motion.joints.size() == 2);
    CHECK(motion.joints[0].name == "hip");
    CHECK(motion.joints[0].has_position_track);
    CHECK(motion.joints[0].positions == std::vector<Vector>{{1, 2, 3}, {0, 0, 0}});
    CHECK(motion.joints[0].rotations == std::vector<Vector>{{4, 5, 6}, {0, 0, 0}});
    CHECK(motion.joints[1].positions.empty());
    CHECK(motion.joints[1].rotations == std::vector<Vector>{{7, 8, 9}, {0.5F, -0.5F, 5}});
    CHECK(!motion.joints[1].has_position_track);
}

TEST_CASE("lines end at carriage returns and line feeds, empty ones vanish, the text ends at a NUL",
          "[bvh-loader]") {
    const std::string text = two_joints({frame});
    std::string carriage = text;
    std::string doubled;
    for (char& c : carriage) {
        c = c == '\n' ? '\r' : c;
    }
    for (const char c : text) {
        doubled += c == '\n' ? "\r\n\n" : std::string(1, c);
    }
    CHECK(read(carriage).joints[1].rotations == read(text).joints[1].rotations);
    CHECK(read("\n\r" + doubled).joints[1].rotations == read(text).joints[1].rotations);
    CHECK(read(text + std::string("\0 nothing", 9)).frames == 1);
    refused(replaced(text, "{\nOFFSET", "{\n \nOFFSET"), 4, "OFFSET");
    refused(std::string("\0", 1) + text, 1, "HIERARCHY");
    // Lines count as in an editor.
    refused("HIERARCHY\r\n\r\nROOT chest\r\n", 3, "hip, mPelvis or avatar_mPelvis");
    refused("HIERARCHY\n\n\n\nJOIN\n", 5, "JOINT");
    refused("HIERARCHY\r\rJOIN\r", 3, "JOINT");
}

TEST_CASE("keywords are found anywhere in their line, in capitals, in this order", "[bvh-loader]") {
    const std::string text = two_joints({frame});
    CHECK(read("some HIERARCHY\n" + text.substr(10)).joints.size() == 2);
    CHECK(read(replaced(text, "MOTION", "xMOTIONx")).frames == 1);
    CHECK(read(replaced(text, "JOINT chest", "my JOINT")).joints[1].name == "JOINT");
    CHECK(
        read(replaced(text, "CHANNELS " + three, "\t CHANNELS3 XrotationYrotationZrotation")).joints.size() ==
        2);
    refused("HIERARCHIES\n" + text.substr(10), 1, "HIERARCHY");
    refused(replaced(text, "JOINT", "joint"), 6, "JOINT");
    refused(replaced(text, "End Site", "End  Site"), 10, "End Site");
    refused(replaced(text, "OFFSET", "offset"), 4, "OFFSET");
    refused(replaced(text, "CHANNELS", "Channels"), 5, "CHANNELS");
    // A closing brace takes precedence over words: the joint is not seen, and the next line makes no sense.
    refused(replaced(text, "JOINT chest", "JOINT chest }"), 7, "JOINT");
    // MOTION inside a name ends the hierarchy.
    refused(replaced(text, "JOINT chest", "JOINT MOTION"), 7, "Frames:");
}

TEST_CASE("a joint is its name, brace, OFFSET and CHANNELS, a line each", "[bvh-loader]") {
    const std::string text = two_joints({frame});
    refused(replaced(text, "JOINT chest\n{", "JOINT chest {"), 7, "\"{\"");
    refused(replaced(text, "JOINT chest\n{\nOFFSET 0 0 0\n", "JOINT chest\n{\n"), 8, "OFFSET");
    refused(replaced(text, "JOINT chest", "JOINT"), 6, "name");
    CHECK(read(replaced(text, "JOINT chest", "\t JOINT\t chest of mine")).joints[1].name == "chest");
    CHECK(read(replaced(text, "chest", std::string(85, 'n'))).joints[1].name == std::string(79, 'n'));
    CHECK(read(replaced(text, "OFFSET 0 0 0\nCHANNELS 3", "OFFSET of words\nCHANNELS 3")).joints.size() == 2);
    refused("HIERARCHY\nROOT hip\n", 3, "end of the file");
}

TEST_CASE("End Site swallows the three lines behind it", "[bvh-loader]") {
    const std::string text = two_joints({frame});
    CHECK(read(replaced(text, end_site, "End Site\nJOINT no\nMOTION\nFrames\n")).joints.size() == 2);
    // With a fourth line, the last one is used: the brace closes chest. One brace too many does no harm.
    CHECK(read(replaced(text, end_site, "End Site\n{\nOFFSET 0 0 0\n}\n}\n")).joints.size() == 2);
    refused("HIERARCHY\n" + bvh_joint("ROOT hip", six) + "End Site\n{\n", 8, "end of the file");
}

TEST_CASE("three rotations name the order; more are not looked at", "[bvh-loader]") {
    const std::string text = two_joints({frame}, "chest", "3 Zrotation Xrotation Yrotation");
    CHECK(read(text).joints[1].order == std::array<std::size_t, 3>{2, 0, 1});
    CHECK(read(text).joints[1].rotations[0] == Vector{8, 9, 7});
    CHECK(read(two_joints({frame + " 10"}, "chest", "4 Zrotation Xrotation Yrotation Zrotation"))
              .joints[1]
              .order == std::array<std::size_t, 3>{2, 0, 1});
    refused(two_joints({frame}, "chest", "3 Zrotation Xrotation"), 9, "three channels");
    refused(two_joints({frame}, "chest", "3 Zrotation Xrotation yrotation"), 9, "three channels");
    // Of two values for one axis, the second is used.
    CHECK(read(two_joints({frame}, "chest", "3 Xrotation Yrotation Xrotation")).joints[1].rotations[0] ==
          Vector{9, 8, 0});
}

TEST_CASE("positions go by their place, and rotations come behind them", "[bvh-loader]") {
    const BvhMotion motion =
        read(two_joints({"1 2 3 4 5 6 7 8 9 10 11 12"}, "chest",
                        "6 Zrotation Zposition Xrotation Yposition Yrotation Xposition"));
    CHECK(motion.joints[1].positions[0] == Vector{7, 8, 9});
    CHECK(motion.joints[1].rotations[0] == Vector{11, 12, 10});
}

TEST_CASE("other channel counts than 3 and 6 desynchronise the line", "[bvh-loader]") {
    const std::string rest = "Xrotation Yrotation Zrotation";
    // Four are announced, and three are taken.
    const std::string hierarchy =
        "HIERARCHY\n" + bvh_joint("ROOT hip", "4 " + rest) + bvh_joint("JOINT chest", three);
    const BvhMotion motion = read(hierarchy + "MOTION\nFrames: 1\nFrame Time: 1\n1 2 3 4 5 6 7\n");
    CHECK(motion.joints[0].has_position_track);
    CHECK(motion.joints[0].positions.empty());
    CHECK(motion.joints[1].rotations[0] == Vector{4, 5, 6});
    // All announced values must be there; a negative count works like a huge one.
    refused(two_joints({frame}, "chest", "4 " + rest), 19, "too few");
    refused(two_joints({frame}, "chest", "-3 " + rest), 19, "too few");
    refused(two_joints({"1 2 3 4 5 6 7 8"}, "chest", "1 " + rest), 19, "too few");
    // If the count is not readable: 6 for the first joint, 3 for the others.
    const BvhMotion unread = read(
        replaced(replaced(two_joints({frame}), "CHANNELS 6", "CHANNELS six"), "CHANNELS 3", "CHANNELS: 3"));
    CHECK(unread.joints[0].positions[0] == Vector{1, 2, 3});
    CHECK(unread.joints[1].rotations[0] == Vector{7, 8, 9});
    CHECK(!unread.joints[1].has_position_track);
}

TEST_CASE("Frames: and Frame Time: begin their lines", "[bvh-loader]") {
    const std::string text = two_joints({frame, frame});
    CHECK(read(replaced(text, "Frames: 2", "Frames:\t+2 frames")).frames == 2);
    CHECK(read(replaced(text, "Frames: 2", "Frames:1")).frames == 1);
    CHECK(read(replaced(text, "Frames: 2", "Frames: 0")).frames == 0);
    CHECK(read(replaced(text, "Frames: 2", "Frames: -7")).frames == 0);
    CHECK(read(replaced(text, "Time: 0.1", "Time:  1e-2s")).frame_time_seconds == 0.01F);
    CHECK(std::isnan(read(replaced(text, "Time: 0.1", "Time: nan")).frame_time_seconds));
    refused(replaced(text, "Frames: 2", " Frames: 2"), 17, "Frames:");
    refused(replaced(text, "Frames: 2", "Frames: two"), 17, "Frames:");
    refused(replaced(text, "Frames: 2", "Frames: 3"), 21, "3 frames");
    refused(replaced(text, "Frame Time: 0.1", "Frame time: 0.1"), 18, "Frame Time:");
    refused(replaced(text, "Frame Time: 0.1", "\tFrame Time: 0.1"), 18, "Frame Time:");
    refused(replaced(text, "Frame Time: 0.1", "Frame Time: ."), 18, "Frame Time:");
    // 4294967298 is 2 in 32 bits.
    CHECK(read(replaced(text, "Frames: 2", "Frames: 4294967298")).frames == 2);
}

TEST_CASE("values are split at blanks and tabs, and all of them must be numbers", "[bvh-loader]") {
    const std::string text = two_joints({frame});
    CHECK(read(replaced(text, frame, " 1\t2  3 4 5 6 7 8 9 \t")).joints[1].rotations[0] == Vector{7, 8, 9});
    CHECK(read(replaced(text, frame, frame + " 10 11")).joints[1].rotations[0] == Vector{7, 8, 9});
    CHECK(read(text + "more lines\n").frames == 1);
    CHECK(std::isnan(read(replaced(text, "7", "NaN")).joints[1].rotations[0][0]));
    refused(replaced(text, frame, "1 2 3 4 5 6 7 8"), 19, "too few");
    refused(replaced(text, frame, "  "), 19, "too few");
    refused(replaced(text, frame, "1 2 3 4 5 6 7 8 9x"), 19, "\"9x\"");
    refused(replaced(text, frame, frame + " more"), 19, "\"more\"");
    refused(replaced(text, frame, "1 2 3 4 5 6 7 8 9\v"), 19, "number");
}

TEST_CASE("the first joint must be the pelvis", "[bvh-loader]") {
    const std::string text = two_joints({frame});
    for (const char* const name : {"mPelvis", "avatar_mPelvis"}) {
        CHECK(read(replaced(text, "hip", name)).joints[0].name == name);
    }
    for (const char* const name : {"Hips", "Hip", "mTorso", "PELVIS", "Pelvis"}) {
        refused(replaced(text, "hip", name), 2, "hip, mPelvis or avatar_mPelvis");
    }
    // A later root is like any other joint, whatever its name.
    CHECK(read(replaced(text, "JOINT chest", "ROOT Hips")).joints[1].name == "Hips");
}

TEST_CASE("depth counts the joints below, without end sites", "[bvh-loader]") {
    const BvhMotion motion = read(
        "HIERARCHY\n" + bvh_joint("ROOT hip", three) + bvh_joint("JOINT abdomen", three) +
        bvh_joint("JOINT chest", three) + end_site + "}\n}\n" + bvh_joint("JOINT lThigh", three) + "}\n}\n" +
        bvh_joint("ROOT neck", three) + end_site + "}\n" + bvh_motion({"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"}));
    std::vector<std::size_t> depths;
    for (const BvhJoint& joint : motion.joints) {
        depths.push_back(joint.depth);
    }
    CHECK(depths == std::vector<std::size_t>{2, 1, 0, 0, 0});
}

TEST_CASE("a huge announcement costs nothing", "[bvh-loader]") {
    refused(replaced(two_joints({frame}), "Frames: 1", "Frames: 2000000000"), 20, "2000000000 frames");
    std::string deep = "HIERARCHY\n" + bvh_joint("ROOT hip", three);
    for (int i = 0; i < 100000; ++i) {
        deep += bvh_joint("JOINT j", three);
    }
    const auto motion = read_bvh_as_viewer(bytes_of(deep + "MOTION\nFrames: 0\nFrame Time: 1\n"));
    REQUIRE(motion.has_value());
    CHECK(motion->joints.front().depth == 100000);
}
