// SPDX-License-Identifier: MIT
// The [GLOBALS] of an anim.ini.
#include "catch.h"
#include "formats/sl_anim/loader/loader.h"

using namespace animbridge;
using namespace animbridge::sl_anim::file;
using namespace animbridge::sl_anim::loader;

namespace {

AnimIni read_ini(const std::string& text) {
    const auto ini = read_anim_ini(text);
    INFO((ini ? "" : ini.error().message()));
    REQUIRE(ini.has_value());
    return *ini;
}

void refused_ini(const std::string& text, std::int64_t line, const std::string& words) {
    const auto ini = read_anim_ini(text);
    INFO(text);
    REQUIRE(!ini.has_value());
    INFO(ini.error().message());
    CHECK(ini.error().code == ErrorCode::bad_value);
    CHECK(ini.error().line == line);
    CHECK(ini.error().message().find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("every key of the globals is read", "[anim-ini]") {
    const AnimIni ini = read_ini(
        "Translations 1.0\r\n# a comment\r\n\r\n[GLOBALS]\r\n  Emote = express_smile\r\npriority = 4\r\n"
        "loop = 0.25 0.75\r\neaseIn = 0.5 linear\r\neaseout = .1 cubic\r\nhand = 3\r\n"
        "constraint = 1 0 0.1 0.9 1 L_HAND 0.1 0 0 CHEST 0 0 0.2\r\n"
        "planar_constraint = 2 0 0 0 0 L_FOOT 0 0 0 GROUND 0 0 0 0 3 4\r\n");
    CHECK(ini.emote == "express_smile");
    CHECK(ini.priority == 4);
    REQUIRE(ini.loop);
    CHECK(ini.loop->loop);
    CHECK(ini.loop->in == 0.25F);
    CHECK(ini.loop->out == 0.75F);
    CHECK(ini.ease_in_seconds == 0.5F);
    CHECK(ini.ease_out_seconds == 0.1F);
    CHECK(ini.hand_pose == 3U);
    REQUIRE(ini.constraints.size() == 2);
    const Constraint& point = ini.constraints[0];
    CHECK(point.chain_length == 1);
    CHECK(point.type == 0);
    CHECK(volume_text(point.source_volume) == "L_HAND");
    CHECK(volume_text(point.target_volume) == "CHEST");
    CHECK(point.source_offset[0].value() == 0.1F);
    CHECK(point.target_offset[2].value() == 0.2F);
    CHECK(point.ease_in_stop.value() == 0.1F);
    CHECK(point.ease_out_start.value() == 0.9F);
    CHECK(point.ease_out_stop.value() == 1.0F);
    const Constraint& plane = ini.constraints[1];
    CHECK(plane.type == 1);
    CHECK(plane.target_dir[1].value() == Approx(0.6));
    CHECK(plane.target_dir[2].value() == Approx(0.8));
    CHECK(ini.joint_sections == 0);
}

TEST_CASE("a loop is true, false or two shares", "[anim-ini]") {
    CHECK(read_ini("[GLOBALS]\nloop = TRUE\n").loop->loop);
    CHECK(read_ini("[GLOBALS]\nloop = true\n").loop->out == 1.0F);
    CHECK(!read_ini("[GLOBALS]\nloop = false").loop->loop);
    CHECK(!read_ini("").loop);
    refused_ini("[GLOBALS]\nloop = maybe\n", 2, "true, false");
    refused_ini("[GLOBALS]\nloop = 0.1\n", 2, "true, false");
    refused_ini("[GLOBALS]\nloop = 0.1 1.1\n", 2, "0 to 1");
}

TEST_CASE("joint sections are passed over", "[anim-ini]") {
    const AnimIni ini =
        read_ini("[hip]\nrelativepos = firstkey\nanything at all\n[GLOBALS]\nhand = 2\n[neckDummy]\nx\n");
    CHECK(ini.hand_pose == 2U);
    CHECK(ini.joint_sections == 2);
}

TEST_CASE("a bad line is an error with its number", "[anim-ini]") {
    refused_ini("Translations 2.0\n", 1, "[GLOBALS]");
    refused_ini("hand = 2\n", 1, "[GLOBALS]");
    refused_ini("\n[GLOBALS]\nhands = 2\n", 3, "planar_constraint");
    refused_ini("[GLOBALS]\nhand 2\n", 2, "\"=\"");
    refused_ini("[GLOBALS]\nhand=2\n", 2, "constraint");
    refused_ini("[GLOBALS]\nhand = 14\n", 2, "0 to 13");
    refused_ini("[GLOBALS]\nhand = two\n", 2, "0 to 13");
    refused_ini("[GLOBALS]\npriority = 7\n", 2, "-1 to 6");
    refused_ini("[GLOBALS]\npriority = 99999999999\n", 2, "-1 to 6");
    refused_ini("[GLOBALS]\neasein = 0.3\n", 2, "seconds");
    refused_ini("[GLOBALS]\neasein = nan linear\n", 2, "seconds");
    refused_ini("[GLOBALS]\nemote = two words\n", 2, "one name");
    refused_ini("[GLOBALS]\nconstraint = 1 0 0 0 0 L_HAND 0 0 0 CHEST 0 0\n", 2, "chain");
    refused_ini("[GLOBALS]\nconstraint = 1 0 0 0 0 SIXTEEN_LETTERS_ 0 0 0 CHEST 0 0 0\n", 2, "15 letters");
    refused_ini("[GLOBALS]\nconstraint = 256 0 0 0 0 L_HAND 0 0 0 CHEST 0 0 0\n", 2, "chain");
    refused_ini("[GLOBALS]\nconstraint = 1 0 0 x 0 L_HAND 0 0 0 CHEST 0 0 0\n", 2, "four times");
    std::string eleven = "[GLOBALS]\n";
    for (int i = 0; i < 11; ++i) {
        eleven += "constraint = 1 0 0 0 0 L_HAND 0 0 0 CHEST 0 0 0\n";
    }
    refused_ini(eleven, 12, "10 constraints");
}
