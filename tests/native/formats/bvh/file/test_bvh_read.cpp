// SPDX-License-Identifier: MIT
// The dialects of BVH, one test each, with values computed by hand.
#include <cmath>

#include "bvh_texts.h"
#include "catch.h"
#include "formats/bvh/file/file.h"

using namespace animbridge;
using namespace animbridge::test;
using bvh::file::ChannelKind;
using bvh::file::Document;
using enum bvh::file::ChannelKind;

namespace {

Document good(std::string_view text, Reading reading = Reading::strict) {
    auto document = read_text(text, reading);
    INFO(text << "\n" << (document ? "" : document.error().message()));
    REQUIRE(document.has_value());
    return std::move(*document);
}

/// Checks that another layout gives the same document.
void check_same(std::string_view text) {
    const Document document = good(text);
    CHECK(document == good(plain_bvh));
    CHECK(document.notes.empty());
}

/// The rules of the reader's notes.
std::vector<std::string> notes_of(std::string_view text, Reading reading) {
    std::vector<std::string> rules;
    for (const bvh::file::Note& note : good(text, reading).notes) {
        rules.push_back(note.rule);
    }
    return rules;
}

std::vector<double> motion_of(std::string_view motion, Reading reading = Reading::strict) {
    return good(one_channel_bvh(motion), reading).motion;
}

using Rules = std::vector<std::string>;

}  // namespace

TEST_CASE("a BVH has the values that stand in it", "[bvh-read]") {
    const Document document = good(plain_bvh);
    REQUIRE(document.joints.size() == 2);
    CHECK(document.joints[0] ==
          bvh::file::Joint{"hip",
                           {},
                           {0, 1, 2},
                           {x_position, y_position, z_position, z_rotation, x_rotation, y_rotation},
                           {}});
    CHECK(document.joints[1] ==
          bvh::file::Joint{
              "chest", 0, {0, 5.5, -1.25}, {z_rotation, x_rotation, y_rotation}, {{"", {0, 3, 0}}}});
    CHECK(document.frame_count == 2);
    CHECK(document.frame_time_seconds == 0.05);
    CHECK(document.motion ==
          std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -2.5, -0.0, 0.125, 1000, 6, 7, 8, 9.5});
    CHECK(std::signbit(document.motion[11]));
    CHECK(document.notes.empty());
    CHECK(document.channel_count() == 9);
    CHECK(document.first_columns() == std::vector<std::size_t>{0, 6});
    CHECK(document.frame(1)[8] == 9.5);
}

TEST_CASE("lines may end in CR LF, in CR, or not at all", "[bvh-read]") {
    check_same(all_replaced(plain_bvh, "\n", "\r\n"));
    check_same(all_replaced(plain_bvh, "\n", "\r"));
    check_same(plain_bvh.substr(0, plain_bvh.size() - 1));
}

TEST_CASE("a byte order mark, blank lines, tabs and blanks are no matter", "[bvh-read]") {
    check_same("\xEF\xBB\xBF" + std::string(plain_bvh));
    check_same("\n \n" + all_replaced(plain_bvh, "\n", "\n\n"));
    check_same(all_replaced(plain_bvh, "\n", " \t \n"));
    check_same(all_replaced(plain_bvh, " ", "\t  "));
    check_same(std::string(plain_bvh) + "\n\n \t\r\n");
}

TEST_CASE("keywords may be in any case", "[bvh-read]") {
    std::string upper(plain_bvh);
    std::string lower(plain_bvh);
    for (std::size_t i = 0; i < plain_bvh.size(); ++i) {
        upper[i] = static_cast<char>(std::toupper(upper[i]));
        lower[i] = static_cast<char>(std::tolower(lower[i]));
    }
    check_same(replaced(replaced(upper, "HIP", "hip"), "CHEST", "chest"));
    check_same(lower);
}

TEST_CASE("blanks before colons, and none behind", "[bvh-read]") {
    check_same(replaced(replaced(plain_bvh, "Frames:", "Frames \t:"), "Time: ", "Time  :"));
    check_same(replaced(plain_bvh, "Frame Time:", "FrameTime:"));
}

TEST_CASE("a brace may stand behind the name", "[bvh-read]") {
    check_same(all_replaced(all_replaced(plain_bvh, "\n{", " {"), "\n\t{", "{"));
    check_same(replaced(plain_bvh, "End Site\n\t\t{", "End Site {"));
    check_same(replaced(plain_bvh, "End Site\n\t\t{", "End Site{"));
    // A whole hierarchy on one line.
    const Document one = good(
        "HIERARCHY ROOT a { OFFSET 1 2 3 CHANNELS 1 Xrotation JOINT b { OFFSET 0 0 0 "
        "CHANNELS 0 End Site { OFFSET 0 0 1 } } } MOTION Frames: 1 Frame Time: 1 5");
    CHECK(one.joints.size() == 2);
    CHECK(one.joints[1].end_sites.front().offset[2] == 1);
    CHECK(one.motion == std::vector<double>{5});
}

TEST_CASE("names are the rest of the line", "[bvh-read]") {
    CHECK(good(replaced(plain_bvh, "chest", "  left  hand:1 {x}  ")).joints[1].name == "left  hand:1 {x}");
    CHECK(good(replaced(plain_bvh, "chest", "Arm{L}")).joints[1].name == "Arm{L}");
    CHECK(good(replaced(plain_bvh, " chest", "")).joints[1].name.empty());
    CHECK(good(replaced(plain_bvh, "chest", "\xff\xfe")).joints[1].name == "\xff\xfe");
    CHECK(good(replaced(plain_bvh, "End Site", "End Site chest tip ")).joints[1].end_sites[0].name ==
          "chest tip");
    CHECK(good(replaced(plain_bvh, "chest", std::string(1 << 20U, 'x'))).joints[1].name.size() == 1U << 20U);
}

TEST_CASE("end sites of another spelling are end sites", "[bvh-read]") {
    for (const char* spelling : {"EndSite", "End_Site", "ENDSITE", "End"}) {
        const std::string text = replaced(plain_bvh, "End Site", spelling);
        CHECK(notes_of(text, Reading::strict) == Rules{"end_site_spelling"});
        CHECK(good(text).joints == good(plain_bvh).joints);
    }
    const Document document = good(replaced(plain_bvh, "\t\t\tOFFSET 0 3 0\n", ""));
    CHECK(document.joints[1].end_sites == std::vector<bvh::file::EndSite>{{"", {0, 0, 0}}});
    CHECK(document.notes == std::vector<bvh::file::Note>{{"offset_missing", 10, "end site of \"chest\""}});
    CHECK(good(replaced(plain_bvh, "0 3 0\n", "0 3 0\nCHANNELS 0\n")) == good(plain_bvh));
}

TEST_CASE("several roots, several end sites, and joints behind end sites", "[bvh-read]") {
    const Document document = good(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Yscale\nEnd Site\n{\nOFFSET 1 0 0\n}\nEnd Site\n{\n"
        "OFFSET 2 0 0\n}\nJOINT c\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\n}\nROOT b\n{\nOFFSET 0 0 0\nCHANNELS 2 "
        "Zposition Xscale\n}\nMOTION\nFrames: 1\nFrame Time: 1\n1 2 3\n");
    REQUIRE(document.joints.size() == 3);
    CHECK(document.joints[0].end_sites.size() == 2);
    CHECK(document.joints[1].parent == 0U);
    CHECK(!document.joints[2].parent.has_value());
    CHECK(document.joints[2].channels == std::vector<ChannelKind>{z_position, x_scale});
    CHECK(document.first_columns() == std::vector<std::size_t>{0, 1, 1});
    CHECK(good(text_of(bvh::file::write(document))) == document);
}

TEST_CASE("nine channels, and channels twice", "[bvh-read]") {
    const Document nine = good(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 9 Xscale Zscale Yscale Yrotation Xrotation Zrotation "
        "Zposition "
        "Yposition Xposition\n}\nMOTION\nFrames: 1\nFrame Time: 1\n1 2 3 4 5 6 7 8 9\n");
    CHECK(nine.joints[0].channels == std::vector<ChannelKind>{x_scale, z_scale, y_scale, y_rotation,
                                                              x_rotation, z_rotation, z_position, y_position,
                                                              x_position});
    CHECK(good("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xrotation Xrotation\n}\nMOTION\nFrames: 1\n"
               "Frame Time: 1\n1 2\n")
              .joints[0]
              .channels == std::vector<ChannelKind>{x_rotation, x_rotation});
}

TEST_CASE("OFFSET and CHANNELS come in any order, late, or not at all", "[bvh-read]") {
    const Document late = good(
        "HIERARCHY\nROOT a\n{\nJOINT b\n{\nCHANNELS 1 Xrotation\nOFFSET 1 2 3\n}\nCHANNELS 1 "
        "Yrotation\nOFFSET 4 5 6\n}\nMOTION\nFrames: 1\nFrame Time: 1\n7 8\n");
    CHECK(late.joints[0].offset == bvh::file::Offset{4, 5, 6});
    CHECK(late.joints[1].offset == bvh::file::Offset{1, 2, 3});
    CHECK(late.first_columns() == std::vector<std::size_t>{0, 1});
    CHECK(late.notes == std::vector<bvh::file::Note>{{"channels_after_children", 9, "\"a\""}});
    const Document bare = good("HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: 0\nFrame Time: 1\n");
    CHECK(bare.joints[0] == bvh::file::Joint{"a"});
    CHECK(bare.notes ==
          std::vector<bvh::file::Note>{{"offset_missing", 2, "\"a\""}, {"channels_missing", 2, "\"a\""}});
}

TEST_CASE("numbers are read in every form", "[bvh-read]") {
    CHECK(motion_of("MOTION\nFrames: 8\nFrame Time: .5\n1.\n.5\n+3\n-4e2\n1E+2\n2.5e-1\n-.5\n007\n") ==
          std::vector<double>{1, 0.5, 3, -400, 100, 0.25, -0.5, 7});
}

TEST_CASE("frames may lie across lines", "[bvh-read]") {
    check_same(replaced(plain_bvh, "1 2 3 4 5 6 7 8 9\n-1", "1 2\n3 4 5 6\n\n7 8\n9 -1"));
}

TEST_CASE("a frame time of nothing or less is read", "[bvh-read]") {
    CHECK(good(replaced(plain_bvh, "0.05", "0")).frame_time_seconds == 0);
    CHECK(good(replaced(plain_bvh, "0.05", "-1")).frame_time_seconds == -1);
    CHECK(good(replaced(plain_bvh, "0.05", "1e-3")).frame_time_seconds == 0.001);
}

TEST_CASE("a hierarchy without channels keeps its frames", "[bvh-read]") {
    constexpr std::string_view text =
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION\nFrames: 3\nFrame Time: 1\n\n\n\n";
    const Document document = good(text);
    CHECK(document.frame_count == 3);
    CHECK(document.motion.empty());
    CHECK(good(text_of(bvh::file::write(document))) == document);
}

TEST_CASE("lenient: decimal commas are points", "[bvh-read]") {
    const std::string text = all_replaced(
        replaced(replaced(plain_bvh, "5.5 -1.25", "5,5 -1,25"), "0.05", "0,05"), "0.125", "0,125");
    Document document = good(text, Reading::lenient);
    CHECK(document.notes == std::vector<bvh::file::Note>{{"decimal_comma", 8, "\"5,5\" (and 3 more)"}});
    document.notes.clear();
    CHECK(document == good(plain_bvh));
}

TEST_CASE("lenient: as many complete frames as there are", "[bvh-read]") {
    const Document fewer = good(replaced(plain_bvh, "Frames: 2", "Frames: 3"), Reading::lenient);
    CHECK(fewer.motion == good(plain_bvh).motion);
    CHECK(fewer.frame_count == 2);
    CHECK(fewer.notes ==
          std::vector<bvh::file::Note>{{"frame_count_differs", 17, "3 declared, found 2 complete frames"}});
    const Document many = good(replaced(plain_bvh, "Frames: 2", "Frames: 300000000000"), Reading::lenient);
    CHECK(many.motion == fewer.motion);
    const Document more = good(replaced(plain_bvh, "Frames: 2", "Frames: 1"), Reading::lenient);
    CHECK(more.motion == fewer.motion);
    CHECK(more.notes ==
          std::vector<bvh::file::Note>{{"frame_count_differs", 17, "1 declared, found 2 complete frames"}});
    const Document none = good(replaced(plain_bvh, "Frames: 2", "Frames: 0"), Reading::lenient);
    CHECK(none.motion == fewer.motion);
}

TEST_CASE("lenient: commas in frames that are read twice count once", "[bvh-read]") {
    const std::string text =
        replaced(replaced(plain_bvh, "Frames: 2", "Frames: 1"), "\n1 2 3 4 5 6 7", "\n1 2 3 4 5 6,0 7,0");
    const auto commas = [](const std::string& bvh) { return good(bvh, Reading::lenient).notes.at(0); };
    const Document document = good(text, Reading::lenient);
    CHECK(document.notes ==
          std::vector<bvh::file::Note>{{"frame_count_differs", 17, "1 declared, found 2 complete frames"},
                                       {"decimal_comma", 19, "\"6,0\" (and 1 more)"}});
    CHECK(commas(replaced(text, "5.5 -1.25", "5,5 -1,25")) ==
          bvh::file::Note{"decimal_comma", 8, "\"5,5\" (and 3 more)"});
}

TEST_CASE("lenient: an incomplete frame at the end goes", "[bvh-read]") {
    const Document cut = good(replaced(plain_bvh, " 9.5\n", ""), Reading::lenient);
    CHECK(cut.frame_count == 1);
    CHECK(cut.motion == std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(cut.notes ==
          std::vector<bvh::file::Note>{
              {"frame_count_differs", 17, "2 declared, found 1 complete frame and 8 numbers of 9"}});
    const Document extra = good(std::string(plain_bvh) + "1 2 3\n", Reading::lenient);
    CHECK(extra.motion == good(plain_bvh).motion);
    CHECK(extra.notes == std::vector<bvh::file::Note>{{"frame_incomplete", 21, "3 numbers of 9"}});
}

TEST_CASE("lenient: text behind the motion is left", "[bvh-read]") {
    const Document document = good(std::string(plain_bvh) + "# the end\n1 2 3\n", Reading::lenient);
    CHECK(document.motion == good(plain_bvh).motion);
    CHECK(document.notes == std::vector<bvh::file::Note>{{"text_after_motion", 21, "\"#\""}});
}

TEST_CASE("lenient: the text ends at a NUL", "[bvh-read]") {
    const Document behind = good(std::string(plain_bvh) + std::string(5, '\0') + "1 2", Reading::lenient);
    CHECK(behind.motion == good(plain_bvh).motion);
    CHECK(behind.notes == std::vector<bvh::file::Note>{{"text_after_nul", 21, "8 bytes from a NUL on"}});
    const Document within =
        good(replaced(plain_bvh, " 0.125", std::string_view("\0 0.125", 7)), Reading::lenient);
    CHECK(within.frame_count == 1);
    CHECK(within.notes.size() == 2);
}

TEST_CASE("lenient: no motion is no frames", "[bvh-read]") {
    const Document document = good(plain_bvh.substr(0, plain_bvh.find("MOTION")), Reading::lenient);
    CHECK(document.joints == good(plain_bvh).joints);
    CHECK(document.frame_count == 0);
    CHECK(document.notes == std::vector<bvh::file::Note>{{"motion_missing", 16, "no MOTION"}});
}

TEST_CASE("lenient: braces, counts of channels and entries twice", "[bvh-read]") {
    CHECK(notes_of(replaced(plain_bvh, "}\nMOTION", "MOTION"), Reading::lenient) == Rules{"braces_differ"});
    CHECK(notes_of(replaced(plain_bvh, "}\nMOTION", "}\n}\nMOTION"), Reading::lenient) ==
          Rules{"braces_differ"});
    CHECK(notes_of(replaced(plain_bvh, "CHANNELS 6", "CHANNELS 3"), Reading::lenient) ==
          Rules{"channel_count_differs"});
    CHECK(notes_of(replaced(plain_bvh, "CHANNELS 3", "CHANNELS 6"), Reading::lenient) ==
          Rules{"channel_count_differs"});
    CHECK(notes_of(replaced(plain_bvh, "OFFSET 0 1 2\n", "OFFSET 9 9 9\nOFFSET 0 1 2\n"), Reading::lenient) ==
          Rules{"entry_repeated"});
    for (const auto& [from, to] : {std::pair("}\nMOTION", "MOTION"), std::pair("CHANNELS 6", "CHANNELS 3"),
                                   std::pair("OFFSET 0 1 2\n", "OFFSET 9 9 9\nOFFSET 0 1 2\n")}) {
        Document document = good(replaced(plain_bvh, from, to), Reading::lenient);
        document.notes.clear();
        CHECK(document == good(plain_bvh));
        CHECK(!read_text(replaced(plain_bvh, from, to)).has_value());
    }
}

TEST_CASE("lenient reading of what strict reading takes is the same", "[bvh-read]") {
    CHECK(good(plain_bvh, Reading::lenient) == good(plain_bvh));
}

TEST_CASE("of many notes the first are kept", "[bvh-read]") {
    std::string text = "HIERARCHY\n";
    for (int i = 0; i < 150; ++i) {
        text += "ROOT a\n{\nCHANNELS 0\n}\n";
    }
    const Document document = good(text + "MOTION\nFrames: 0\nFrame Time: 1\n");
    REQUIRE(document.notes.size() == 100);
    CHECK(document.notes.front() == bvh::file::Note{"offset_missing", 2, "\"a\""});
    CHECK(document.notes.back() == bvh::file::Note{"offset_missing", 398, "\"a\" (and 50 more)"});
}

TEST_CASE("what begins as a BVH is one", "[bvh-read]") {
    const auto sniffed = [](std::string_view text) { return bvh::file::sniff(view_of(text)); };
    CHECK(sniffed(plain_bvh));
    CHECK(sniffed("\xEF\xBB\xBF\n\n \thierarchy\r"));
    CHECK(sniffed("HIERARCHY"));
    CHECK(sniffed(std::string_view("\xFF\xFEH\0I\0E\0R\0A\0R\0C\0H\0Y\0\n\0", 22)));
    CHECK(!sniffed("HIERARCHYX"));
    CHECK(!sniffed("HIERARCH"));
    CHECK(!sniffed(""));
    CHECK(!sniffed("ROOT hip"));
    CHECK(!sniffed("\xFF\xFE"));
}
