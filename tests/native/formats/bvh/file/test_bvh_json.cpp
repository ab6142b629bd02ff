// SPDX-License-Identifier: MIT
// BVH documents as JSON, what info reports, and text with a chosen number of decimals.
#include "bvh_invariants.h"
#include "bvh_texts.h"
#include "catch.h"
#include "formats/bvh/check/check.h"
#include "formats/bvh/file/file.h"
#include "json_place.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// A document with every special case: names that are not UTF-8, zeros of both signs, a note, numbers with
/// all digits.
bvh::file::Document sample() {
    bvh::file::Document document =
        read_text(replaced(plain_bvh, "chest", "\xff\xfe x"), Reading::lenient).value();
    document.joints[1].offset = {-0.0, 0.1 + 0.2, 1e-300};
    document.motion[0] = 5e-324;
    document.motion[1] = 1.7976931348623157e308;
    document.notes = {{"decimal_comma", 3, "\"1,\xff\""}};
    return document;
}

void must_fail(const char* place, const Json& wrong, const std::string& field) {
    Json json = bvh::file::to_json(sample());
    place_in(json, place) = wrong;
    INFO("at " << place << ": " << wrong.dump());
    const auto document = bvh::file::from_json(json);
    REQUIRE_FALSE(document.has_value());
    CHECK(document.error().code == ErrorCode::bad_value);
    CHECK(document.error().field == field);
}

std::string text_of_bytes(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

TEST_CASE("a BVH comes back from its JSON, bit for bit", "[bvh-json]") {
    const bvh::file::Document document = sample();
    const auto parsed = parse_json(print_json(bvh::file::to_json(document)));
    REQUIRE(parsed.has_value());
    const auto back = bvh::file::from_json(*parsed);
    REQUIRE(back.has_value());
    CHECK(*back == document);
    CHECK(same_values(*back, document));
}

TEST_CASE("the JSON of a BVH has the members that its header names", "[bvh-json]") {
    const Json json = bvh::file::to_json(read_text(plain_bvh).value());
    CHECK(json["format"] == "bvh");
    CHECK(json["joints"][1] == json_of_text(R"({"name": "chest", "parent": 0, "offset": [0.0, 5.5, -1.25],
        "channels": ["Zrotation", "Xrotation", "Yrotation"], "end_sites": [{"name": "", "offset": [0.0, 3.0, 0.0]}]})"));
    CHECK(json["joints"][0]["parent"].is_null());
    CHECK(json["frame_time_seconds"] == 0.05);
    CHECK(json["frame_count"] == 2);
    CHECK(json["motion"][1] == json_of_text("[-1.0, -2.5, -0.0, 0.125, 1000.0, 6.0, 7.0, 8.0, 9.5]"));
    CHECK(json["notes"].empty());
}

TEST_CASE("JSON that no BVH could hold is refused by its place", "[bvh-json]") {
    must_fail("/format", "sl_anim", "format");
    must_fail("/surplus", 1, "");
    must_fail("/joints", Json::object(), "joints");
    must_fail("/joints/1/surplus", 1, "joints[1]");
    for (const char* name : {"a\nb", "a\rb", " a", "a\t", "{", "a{", "a { b"}) {
        must_fail("/joints/1/name", name, "joints[1].name");
    }
    must_fail("/joints/1/name", Json{{"hex", "6100"}}, "joints[1].name");
    must_fail("/joints/1/parent", 1, "joints[1].parent");
    must_fail("/joints/1/parent", -1, "joints[1].parent");
    must_fail("/joints/0/parent", 0, "joints[0].parent");
    must_fail("/joints/1/offset", Json::array({1, 2}), "joints[1].offset");
    must_fail("/joints/1/offset/2", nullptr, "joints[1].offset");
    must_fail("/joints/1/channels/0", "Wrotation", "joints[1].channels[0]");
    must_fail("/joints/1/channels", Json(std::vector<std::string>(10, "Xrotation")), "joints[1].channels");
    must_fail("/joints/1/end_sites/0/name", "a\nb", "joints[1].end_sites[0].name");
    must_fail("/frame_time_seconds", "1", "frame_time_seconds");
    must_fail("/frame_count", 3, "motion");
    must_fail("/frame_count", -1, "frame_count");
    must_fail("/frame_count", 250000000, "motion");
    must_fail("/motion/1", Json::array({1, 2, 3}), "motion[1]");
    must_fail("/motion/1/3", "x", "motion[1]");
    must_fail("/notes/0/line", "x", "notes[0].line");
    Json deep = bvh::file::to_json(sample());
    for (std::size_t i = 2; i <= bvh::file::max_depth; ++i) {
        deep["joints"].push_back({{"name", "a"},
                                  {"parent", i - 1},
                                  {"offset", {0, 0, 0}},
                                  {"channels", Json::array()},
                                  {"end_sites", Json::array()}});
    }
    CHECK(bvh::file::from_json(deep).error().field == "joints[1000].parent");
}

TEST_CASE("names that JSON may have come back from the file", "[bvh-json]") {
    for (const char* name :
         {"", "a", "a b", "Arm{L}", "{a", "a{b c", "a {b", "}", "a }", "OFFSET", "End Site"}) {
        Json json = bvh::file::to_json(sample());
        place_in(json, "/joints/1/name") = name;
        place_in(json, "/joints/1/end_sites/0/name") = name;
        const auto document = bvh::file::from_json(json);
        INFO(name);
        REQUIRE(document.has_value());
        CHECK_NOTHROW(check_bvh_document(*document, Effort::full));
    }
}

TEST_CASE("info tells what a person wants to know", "[bvh-json]") {
    const Json info = bvh::check::info(read_text(plain_bvh).value());
    CHECK(info["frames"] == 2);
    CHECK(info["frames_per_second"] == 20.0);
    CHECK(info["duration_seconds"] == 0.05);
    CHECK(info["roots"] == json_of_text(R"(["hip"])"));
    CHECK(info["rotation_orders"] == json_of_text(R"({"ZXY": 2})"));
    CHECK(info["joints_with_positions"].empty());
    CHECK(info["channels"] == 9);
    CHECK(
        bvh::check::info(read_text(replaced(plain_bvh, "0.05", "0")).value())["frames_per_second"].is_null());
}

TEST_CASE("a written BVH is canonical, with the decimals asked for", "[bvh-json]") {
    const auto document = make_document(read_text(plain_bvh).value());
    CHECK(text_of_bytes(document->write().value()) == plain_bvh);
    const auto two = document->edited({{"decimals", 2}});
    REQUIRE(two.has_value());
    const std::string text = text_of_bytes(two->document->write().value());
    CHECK_THAT(text, ContainsSubstring("\t\tOFFSET 0.00 5.50 -1.25\n"));
    CHECK_THAT(text, Catch::Matchers::EndsWith("\n-1.00 -2.50 -0.00 0.12 1000.00 6.00 7.00 8.00 9.50\n"));
    CHECK(two->report["findings"].empty());
    CHECK(text_of_bytes(two->document->edited({{"decimals", nullptr}})->document->write().value()) ==
          plain_bvh);
    for (const Json& wrong : {Json(-1), Json(18), Json(2.5), Json("2")}) {
        CHECK(document->edited({{"decimals", wrong}}).error().field == "decimals");
    }
    CHECK(document->edited({{"loop", true}}).error().field == "loop");
    CHECK(!document->as_stored().has_value());
}
