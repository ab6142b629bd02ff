// SPDX-License-Identifier: MIT
// OBAN among the other formats: recognition, edits, containers by extension, comparison and poses.
#include <limits>

#include "catch.h"
#include "convert/convert.h"
#include "formats/oban/file/file.h"
#include "formats/sl_anim/file/file.h"
#include "oban_fixtures.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

DocumentPtr oban_of(const std::string& file) {
    auto document = read_document(oban_fixture(file), "", file);
    INFO(file << ": " << (document ? "" : document.error().message()));
    REQUIRE(document.has_value());
    REQUIRE((*document)->format().id == "oban");
    return std::move(*document);
}

Json converted(const ScratchFolder& folder, const std::filesystem::path& input, const std::string& output) {
    auto done = convert_file(input.string(), (folder.path() / output).string(), {});
    INFO((done ? "" : done.error().message()));
    REQUIRE(done.has_value());
    return std::move(done->report);
}

const oban::file::Document& inside(const DocumentPtr& document) { return *as_oban(*document); }

DocumentPtr must_edit(const DocumentPtr& document, const Json& edits) {
    auto edited = document->edited(edits);
    INFO(edits.dump() << ": " << (edited ? "" : edited.error().message()));
    REQUIRE(edited.has_value());
    return std::move(edited->document);
}

void must_not_edit(const Json& edits, const std::string& field) {
    const auto edited = oban_of("oni_exported.oni")->edited(edits);
    INFO(edits.dump());
    REQUIRE_FALSE(edited.has_value());
    CHECK(edited.error().field == field);
}

}  // namespace

TEST_CASE("a raw OBAN is not taken for a Second Life animation", "[oban-documents]") {
    // Both begin with the bytes 01 00 00 00.
    CHECK((*read_document(oban_fixture("swing.oban"), "", ""))->format().id == "oban");
    CHECK((*read_document(oban_fixture("keys_0.oban"), "", "keys_0.OBAN"))->format().id == "oban");
    const auto cut = read_document(oban_fixture("cut_in_keys.oban"), "", "cut_in_keys.oban");
    REQUIRE_FALSE(cut.has_value());
    CHECK(cut.error().field == "key_count");
    for (const Fixture& animation : fixtures()) {
        if (animation.readable) {
            INFO(animation.file);
            CHECK((*read_document(animation.bytes(), "", animation.file))->format().id == "sl_anim");
        }
    }
}

TEST_CASE("the output's extension chooses the container of an OBAN", "[oban-documents]") {
    const ScratchFolder folder;
    const auto exported = oban_folder() / "oni_exported.oni";
    CHECK(converted(folder, exported, "same.oni")["left_behind"].empty());
    CHECK(load(folder.path() / "same.oni") == load(exported));
    CHECK(converted(folder, exported, "raw.oban")["left_behind"] == Json::array({"name", "layout"}));
    CHECK(load(folder.path() / "raw.oban") ==
          oban::file::write_record(inside(oban_of("oni_exported.oni")).record));
    const Json to_xml = converted(folder, exported, "text.XML");
    CHECK(to_xml["left_behind"] == Json::array({"padding", "name", "layout"}));
    CHECK(to_xml["container"] == "xml");
    converted(folder, exported, "whole.json");
    CHECK(converted(folder, folder.path() / "whole.json", "again.oni")["left_behind"].empty());
    CHECK(load(folder.path() / "again.oni") == load(exported));
}

TEST_CASE("an OBAN without a name gets that of the file", "[oban-documents]") {
    const ScratchFolder folder;
    converted(folder, oban_folder() / "swing.oban", "OBANa%2Fb.oni");
    const auto document = read_document(load(folder.path() / "OBANa%2Fb.oni"), "", "");
    REQUIRE(document.has_value());
    CHECK(inside(*document).name == "a/b");
    const auto refused = convert_file((oban_folder() / "swing.oban").string(),
                                      (folder.path() / (std::string(60, 'x') + ".oni")).string(), {});
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().field == "name");
    CHECK(converted(folder, oban_folder() / "pre_header.oban", "ids.oni")["left_behind"] ==
          Json::array({"res_id", "lev_id"}));
}

TEST_CASE("the head of an OBAN can be edited", "[oban-documents]") {
    const DocumentPtr exported = oban_of("oni_exported.oni");
    const DocumentPtr edited =
        must_edit(exported, {{"flags", {"Autostart"}}, {"half_stop_frame", 7}, {"frame_length", 80}});
    CHECK(inside(edited).record.flags == oban::file::autostart);
    CHECK(inside(edited).record.half_stop_frame == 7);
    CHECK(inside(edited).record.frame_length == 80);
    CHECK(inside(edited).record.keys == inside(exported).record.keys);
    CHECK(inside(edited).after == inside(exported).after);
    CHECK(inside(must_edit(exported, {{"flags", 0xffffffffU}})).record.flags == 0xffffffffU);
    const DocumentPtr unknown = oban_of("flags_every_bit.oban");
    CHECK(inside(must_edit(unknown, {{"flags", Json::array()}})).record.flags == ~oban::file::known_flags);
    CHECK(inside(must_edit(exported, {{"name", "OBANswing"}})) == inside(exported));
    CHECK(inside(must_edit(exported, {{"name", "gate"}})) ==
          *oban::file::new_oni(inside(exported).record, "gate"));
    const DocumentPtr raw = must_edit(exported, {{"container", "raw"}, {"name", "gate"}});
    CHECK(raw->write().value() == oban::file::write_record(inside(exported).record));
    CHECK(must_edit(raw, {{"container", "oni"}})->write().value() ==
          must_edit(exported, {{"name", "gate"}})->write().value());
    CHECK(inside(must_edit(exported, {{"container", "xml"}})).record.padding[11] == 0);
}

TEST_CASE("an edit reports what the game or OniSplit does with the new values", "[oban-documents]") {
    const DocumentPtr exported = oban_of("oni_exported.oni");
    CHECK(exported->edited({{"half_stop_frame", 3}})->report["findings"].empty());
    const auto beyond = exported->edited({{"half_stop_frame", 60000}});
    REQUIRE(beyond);
    REQUIRE(beyond->report["findings"].size() == 1);
    CHECK(beyond->report["findings"][0]["id"] == "half_stop_beyond_end");
}

TEST_CASE("edits that an OBAN cannot take are refused by their name", "[oban-documents]") {
    must_not_edit(Json::array(), "edits");
    must_not_edit({{"base_priority", 1}}, "base_priority");
    must_not_edit({{"flags", "NormalLoop"}}, "flags");
    must_not_edit({{"flags", {"Loop"}}}, "flags");
    must_not_edit({{"flags", -1}}, "flags");
    must_not_edit({{"half_stop_frame", 65536}}, "half_stop_frame");
    must_not_edit({{"frame_length", 1.5}}, "frame_length");
    must_not_edit({{"name", ""}}, "name");
    must_not_edit({{"container", "dat"}}, "container");
    const auto nameless = oban_of("swing.oban")->edited({{"container", "oni"}});
    REQUIRE_FALSE(nameless.has_value());
    CHECK(nameless.error().field == "name");
}

TEST_CASE("OBANs are compared by what they play", "[oban-documents]") {
    const DocumentPtr swing = oban_of("swing.oban");
    const Json same = swing->compare(*oban_of("oni_created.oni"), Job{}).value();
    CHECK(same["max_position_mm"] == 0.0);
    CHECK(same["max_rotation_degrees"] == 0.0);
    CHECK(same["times"] == 61);
    const Json scaled = swing->compare(*oban_of("scale_1_82.oban"), Job{}).value();
    CHECK(scaled["max_position_mm"].get<double>() < 1e-9);
    CHECK(scaled["max_rotation_degrees"].get<double>() < 1e-5);
    CHECK(scaled["max_linear_difference"].get<double>() == Approx(0.82));
    CHECK(scaled["differing_fields"] == Json::array({"initial_transform", "base_transform"}));
    const Json other = swing->compare(*oban_of("camera_steep.oban"), Job{}).value();
    CHECK(other["max_position_mm"].get<double>() > 1.0);
    CHECK(swing->compare(*oban_of("nan_in_key.oban"), Job{}).error().code == ErrorCode::rejected);
    CHECK(swing->compare(*make_document(sl_anim::file::Document()), Job{}).error().code ==
          ErrorCode::invalid_argument);
    CHECK(swing->compare(*swing, Job([](double) { return false; })).error().code == ErrorCode::cancelled);
}

TEST_CASE("an OBAN poses as the witness does", "[oban-documents]") {
    std::size_t count = 0;
    for (const Json& row : oban_rows()) {
        if (row["read"] != "ok" || !row["records"][0].contains("poses")) {
            continue;
        }
        INFO(row["file"].get<std::string>());
        const DocumentPtr document =
            must_edit(oban_of(row["file"].get<std::string>()), {{"flags", 0}});  // no loop
        for (const Json& expected : row["records"][0]["poses"]) {
            const std::vector<double> seconds = {expected["frame"].get<double>() / 60.0};
            const Json pose = document->pose(seconds, std::nullopt).value()["poses"][0];
            CHECK(pose["frame"].get<double>() == Approx(expected["frame"].get<double>()));
            for (std::size_t i = 0; i < 12; ++i) {
                const double wanted = expected["matrix"][i].get<double>();
                CHECK(pose["matrix"][i].get<double>() == Approx(wanted).margin(1e-9));
            }
            ++count;
        }
    }
    CHECK(count > 200);
}

TEST_CASE("an OBAN refuses what it has not", "[oban-documents]") {
    const DocumentPtr swing = oban_of("swing.oban");
    CHECK(swing->as_stored().error().code == ErrorCode::invalid_argument);
    CHECK(swing->check(CheckLevel::upload, "").value().empty());
    CHECK(swing->check(CheckLevel::strict, "").value().empty());
    const std::vector<double> times = {0.0};
    CHECK(swing->pose(times, 1.0).error().code == ErrorCode::invalid_argument);
    const std::vector<double> wrong = {std::numeric_limits<double>::quiet_NaN()};
    CHECK(swing->pose(wrong, std::nullopt).error().code == ErrorCode::invalid_argument);
    CHECK(oban_of("keys_0.oban")->pose(times, std::nullopt).error().code == ErrorCode::rejected);
}
