// SPDX-License-Identifier: MIT
// OBAN documents as JSON, and what info reports.
#include "catch.h"
#include "formats/oban/edit/edit.h"
#include "formats/oban/file/file.h"
#include "json_place.h"
#include "oban_fixtures.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

oban::file::Document odd_document() { return {oban::file::Container::raw, "a\xff", odd_record(), {}, {}}; }

Result<oban::file::Document> there_and_back(const oban::file::Document& document) {
    return parse_json(print_json(oban::file::to_json(document))).and_then([](const Json& json) {
        return oban::file::from_json(json);
    });
}

void must_refuse(const char* place, const Json& wrong, const std::string& field) {
    Json json = oban::file::to_json(*oban::file::new_oni(odd_record(), "x"));
    place_in(json, place) = wrong;
    INFO("at " << place << ": " << wrong.dump());
    const auto document = oban::file::from_json(json);
    REQUIRE_FALSE(document.has_value());
    CHECK(document.error().code == ErrorCode::bad_value);
    CHECK(document.error().field == field);
}

}  // namespace

TEST_CASE("an OBAN comes back from its JSON, bit for bit", "[oban-json]") {
    oban::file::Document with_tail = odd_document();
    with_tail.record.tail = {1, 2, 3};
    for (const oban::file::Document& document : {odd_document(), with_tail, oban::file::Document{}}) {
        const auto back = there_and_back(document);
        REQUIRE(back.has_value());
        CHECK(*back == document);
    }
    for (const Json& row : oban_rows()) {
        if (row["read"] == "ok") {
            INFO(row["file"].get<std::string>());
            const auto document = oban::file::read(oban_fixture(row["file"]));
            const auto back = there_and_back(*document);
            REQUIRE(back.has_value());
            CHECK(*back == *document);
        }
    }
}

TEST_CASE("the JSON of an OBAN reads as its schema says", "[oban-json]") {
    const Json json = oban::file::to_json(*oban::file::new_oni(odd_record(), "gate"));
    CHECK(json["format"] == "oban");
    CHECK(json["container"] == "oni");
    CHECK(json["name"] == "gate");
    CHECK(json["layout"] == "new");
    const Json& record = json["record"];
    CHECK(record["flags"] == Json::array({"NormalLoop"}));
    CHECK(record["unknown_flags"] == 0x80000040U);
    CHECK(record["padding_hex"] ==
          "0001020304050607"
          "08090aff");
    CHECK(record["initial_transform"][0] == Json{{"bits", "7fa00001"}});
    CHECK(record["keys"][1] == json_of_text("[10, 0.0, 1.0, 0.0, 0.0, 0.1, 0.2, 0.3]"));
    const Json exported = oban::file::to_json(*oban::file::read(oban_fixture("oni_exported.oni")));
    CHECK(exported["layout"]["after"] == std::string(64, '0'));
    CHECK(oban::file::to_json(*oban::file::read(oban_fixture("xml_swing.xml")))["layout"].is_null());
}

TEST_CASE("JSON that no OBAN could hold is refused by its place", "[oban-json]") {
    must_refuse("/format", "bvh", "format");
    must_refuse("/surplus", 1, "");
    must_refuse("/container", "dat", "container");
    must_refuse("/name", 3, "name");
    must_refuse("/name", std::string(60, 'x'), "layout");
    must_refuse("/layout", "old", "layout");
    must_refuse("/layout", nullptr, "layout");
    must_refuse("/layout", Json{{"before", "00"}, {"after", ""}}, "layout");
    must_refuse("/layout", Json{{"before", "0g"}, {"after", ""}}, "layout.before");
    must_refuse("/record/res_id", 2, "layout");
    must_refuse("/record/res_id", -1, "record.res_id");
    must_refuse("/record/padding_hex", "00", "record.padding_hex");
    must_refuse("/record/flags", Json::array({"Loop"}), "record.flags");
    must_refuse("/record/flags", 1, "record.flags");
    must_refuse("/record/unknown_flags", 1, "record.unknown_flags");
    must_refuse("/record/frame_count", 65536, "record.frame_count");
    must_refuse("/record/base_transform", Json::array({1, 2}), "record.base_transform");
    must_refuse("/record/keys/1", Json::array({1, 2}), "record.keys[1]");
    must_refuse("/record/keys/1/0", 2147483648, "record.keys[1]");
    must_refuse("/record/keys/1/4", "x", "record.keys[1]");
    must_refuse("/record/keys/1/4", 1e39, "record.keys[1]");
    must_refuse("/record/surplus", 1, "record");
    must_refuse("/record", Json::array(), "record");
    must_refuse("/container", "raw", "layout");
    must_refuse("/container", "xml", "container");
}

TEST_CASE("info tells of an OBAN what a person wants to know", "[oban-json]") {
    const Json door = oban::edit::info(*oban::file::read(oban_fixture("door.oban")));
    CHECK(door["container"] == "raw");
    CHECK(door["bytes"] == 0x80 + 3 * 32);
    CHECK(door["keys"] == 3);
    CHECK(door["half_stop_frame"].get<int>() > 0);
    CHECK(door["duration_seconds"].get<double>() == Approx((door["frame_count"].get<int>() - 1) / 60.0));
    CHECK(door["base"] == "none");
    const auto base_of = [](const char* file) {
        return oban::edit::info(*oban::file::read(oban_fixture(file)))["base"];
    };
    CHECK(base_of("scale_1_82.oban") == "scale");
    CHECK(base_of("base_sheared_mirror.oban") == "matrix");
    CHECK(base_of("nan_in_base.oban") == "matrix");
    const Json odd = oban::edit::info(odd_document());
    CHECK(odd["name"] == Json{{"hex", "61ff"}});
    CHECK(odd["unknown_flags"] == 0x80000040U);
    CHECK(odd["lost_in_xml"] == Json::array({"padding", "nan_payload", "name"}));
    CHECK(oban::edit::info(oban::file::Document{})["first_key_frame"].is_null());
}
