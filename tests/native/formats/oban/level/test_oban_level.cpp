// SPDX-License-Identifier: MIT
// Levels: listed, read, with replaced OBANs, made anew, as documents; compared with the manifest.
#include <algorithm>
#include <cstring>

#include "base/base.h"
#include "catch.h"
#include "convert/convert.h"
#include "formats/oban/file/file.h"
#include "formats/oban/level/level.h"
#include "json_place.h"
#include "model/format/format.h"
#include "oban_fixtures.h"
#include "oban_level_invariants.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

oban::level::Level level_fixture(const std::string& file) {
    auto level = oban::level::read_level(oban_fixture(file));
    REQUIRE(level);
    return std::move(*level);
}

oban::file::Record record_fixture(const std::string& file) {
    auto record = oban::file::read_raw(oban_fixture(file));
    REQUIRE(record);
    return std::move(*record);
}

std::vector<Json> level_rows() {
    std::vector<Json> rows;
    for (const Json& row : oban_manifest()["files"]) {
        if (row["file"].get<std::string>().ends_with(".dat")) {
            rows.push_back(row);
        }
    }
    return rows;
}

std::string refusal_of(const oban::level::Level& level, const char* name, const oban::file::Record& record) {
    const auto index = oban::level::find_oban(level, name);
    REQUIRE(index);
    const auto file = oban::level::replaced(level, *index, record);
    REQUIRE_FALSE(file);
    CHECK(file.error().code == ErrorCode::invalid_argument);
    CHECK(file.error().field == "name");
    return file.error().reason;
}

Result<Made> out_of_level(const std::string& file, const Json& options) {
    const FileBytes bytes = oban_fixture(file);
    const Bridge* bridge = find_bridge("oban_level", "oban");
    REQUIRE(bridge != nullptr);
    const Job job;
    const auto document = read_document(bytes, "oban_level", file);
    return bridge->convert({document, bytes, Reading::strict, options, Json::object(), job});
}

/// A level of this many OBANs with one key each.
Bytes large_level(std::size_t count) {
    const oban::file::Record record = record_fixture("one_key.oban");
    std::vector<std::pair<std::string, oban::file::Record>> obans;
    for (std::size_t i = 0; i < count; ++i) {
        obans.emplace_back("a" + std::to_string(i), record);
    }
    auto package = oban::level::new_package(std::move(obans), "level1_A", oban::level::Platform::pc);
    REQUIRE(package);
    return std::move(package->dat);
}

/// Of the only OBAN of a level.
std::string file_name_of(const std::string& stored_name, oban::level::FileKind kind) {
    oban::level::Level level = oban::level::read_level(large_level(1)).value();
    level.obans[0].name = stored_name;
    return oban::level::extract_files(level, {}, kind).value()[0].file_name;
}

}  // namespace

TEST_CASE("levels are listed or refused as the manifest says", "[oban-level]") {
    std::size_t refused = 0;
    for (const Json& row : level_rows()) {
        const auto file = row["file"].get<std::string>();
        INFO(file);
        const FileBytes bytes = oban_fixture(file);
        CHECK(oban::level::is_level(bytes));
        const auto level = oban::level::read_level(bytes);
        REQUIRE(level.has_value() == (row["read"] == "ok"));
        if (!level) {
            ++refused;
            CHECK(level.error().field == row["error_field"].get<std::string>());
            CHECK(level.error().byte_offset == row["error_offset"].get<std::int64_t>());
            continue;
        }
        Json names = Json::array();
        Json records = Json::array();
        for (const oban::level::LevelOban& oban : level->obans) {
            if (!oban.has_data) {
                names.push_back(oban.name);
                continue;
            }
            records.push_back(
                {oban.name.empty() ? Json(nullptr) : Json(oban.name), oban.instance, oban.keys});
        }
        Json expected = Json::array();
        for (const Json& record : row["records"]) {
            expected.push_back({record["name"], record["instance"], record["keys"]});
        }
        CHECK(records == expected);
        CHECK(names == row.value("placeholders", Json::array()));
    }
    CHECK(refused >= 5);
}

TEST_CASE("levels find what the witness finds", "[oban-level]") {
    for (const Json& row : level_rows()) {
        if (row["read"] != "ok") {
            continue;
        }
        const auto file = row["file"].get<std::string>();
        INFO(file);
        const auto document = read_document(oban_fixture(file), "", file);
        REQUIRE(document);
        const auto findings = (*document)->check(CheckLevel::strict, file);
        REQUIRE(findings);
        std::multiset<std::string> found;
        for (const Finding& finding : *findings) {
            found.emplace(finding.rule->id);
        }
        std::multiset<std::string> expected;
        for (const Json& finding : row["findings"]) {
            expected.insert(finding[0].get<std::string>());
        }
        for (const Json& record : row["records"]) {
            for (const Json& finding : record["findings"]) {
                expected.insert(finding[0].get<std::string>());
            }
        }
        CHECK(found == expected);
    }
}

TEST_CASE("an animation is replaced in place as the witness does it", "[oban-level]") {
    for (const Json& row : oban_manifest()["replacements"]) {
        const auto name = row["name"].get<std::string>();
        INFO(row.dump());
        const oban::level::Level level = level_fixture(row["file"].get<std::string>());
        const auto index = oban::level::find_oban(level, name);
        REQUIRE(index);
        const auto file =
            oban::level::replaced(level, *index, record_fixture(row["with"].get<std::string>()));
        REQUIRE(file);
        CHECK(*file == oban_fixture(row["gives"].get<std::string>()));
    }
}

TEST_CASE("what cannot be replaced says why", "[oban-level]") {
    const oban::file::Record record = record_fixture("swing.oban");
    const oban::level::Level mixed = level_fixture("level_mixed.dat");
    CHECK(refusal_of(mixed, "elsewhere", record).find("placeholder") != std::string::npos);
    oban::file::Record odd = record;
    odd.tail = {1, 2, 3};
    CHECK(refusal_of(mixed, "gate", odd).find("allowed are whole keys") != std::string::npos);
    const oban::level::Level duplicates = level_fixture("level_duplicates.dat");
    std::size_t refused = 0;
    for (std::size_t i = 0; i < duplicates.obans.size(); ++i) {
        refused += oban::level::replaced(duplicates, i, record).has_value() ? 0 : 1;
    }
    CHECK(refused == duplicates.obans.size() - 1);
}

TEST_CASE("an animation is found by name or number", "[oban-level]") {
    const oban::level::Level level = level_fixture("level_mixed.dat");
    const auto by_name = oban::level::find_oban(level, "gate");
    REQUIRE(by_name);
    CHECK(oban::level::find_oban(level, "OBANgate").value() == *by_name);
    CHECK(level.obans[*oban::level::find_oban(level, "#3")].name.empty());
    for (const char* const wrong : {"", "OBAN", "#", "#2", "#3x", "#99999999999999999999", "GATE"}) {
        const auto none = oban::level::find_oban(level, wrong);
        INFO(wrong);
        REQUIRE_FALSE(none);
        CHECK(none.error().reason.find("gate, #3, camera") != std::string::npos);
    }
    CHECK(oban::level::find_oban(level, std::nullopt).error().reason.find("3 OBANs") != std::string::npos);
    CHECK(oban::level::find_oban(level_fixture("level_no_oban.dat"), std::nullopt)
              .error()
              .reason.find("no OBAN") != std::string::npos);
    const auto placeholder = oban::level::find_oban(level, "elsewhere");
    REQUIRE(placeholder);
    CHECK(oban::level::oban_in(level, *placeholder).error().reason.find("placeholder") != std::string::npos);
}

TEST_CASE("many names are shortened", "[oban-level]") {
    const auto level = oban::level::read_level(large_level(20'000));
    REQUIRE(level);
    CHECK(level->obans.size() == 20'000);
    const auto none = oban::level::find_oban(*level, "b");
    REQUIRE_FALSE(none);
    CHECK(none.error().reason.size() < 300);
    CHECK(none.error().reason.find("and 19994 more") != std::string::npos);
}

TEST_CASE("packages are those of the witness", "[oban-level]") {
    for (const Json& row : oban_manifest()["packages"]) {
        const auto base = row["base_name"].get<std::string>();
        const bool is_mac = row["platform"] == "mac";
        INFO(row.dump());
        std::vector<std::pair<std::string, oban::file::Record>> obans;
        for (const Json& record : row["records"]) {
            obans.emplace_back(record["name"].get<std::string>(),
                               record_fixture(record["file"].get<std::string>()));
        }
        const auto package = oban::level::new_package(
            std::move(obans), base, is_mac ? oban::level::Platform::mac : oban::level::Platform::pc);
        REQUIRE(package);
        CHECK(package->sep.has_value() == is_mac);
        for (const Json& gives : row["gives"]) {
            const auto file = gives.get<std::string>();
            const Bytes& part = file.ends_with(".dat")   ? package->dat
                                : file.ends_with(".raw") ? package->raw
                                                         : *package->sep;
            CHECK(part == oban_fixture(file));
        }
    }
}

TEST_CASE("ids of levels are those of the witness", "[oban-level]") {
    for (const Json& row : oban_manifest()["level_ids"]) {
        CHECK(oban::level::level_id(row["base_name"].get<std::string>()) ==
              row["lev_id"].get<std::uint32_t>());
    }
    CHECK(oban::level::level_id("level7_Final") == 0x0E000001U);
    CHECK(oban::level::level_id("levelx_Final") == 1U);
}

TEST_CASE("what cannot be packed says why", "[oban-level]") {
    const oban::file::Record record = record_fixture("swing.oban");
    const auto refused = [&](std::vector<std::pair<std::string, oban::file::Record>> obans,
                             const char* base) {
        const auto package = oban::level::new_package(std::move(obans), base, oban::level::Platform::pc);
        return package ? "" : package.error().message();
    };
    CHECK(refused({{"a", record}, {"OBANa", record}}, "level1_A").find("OBANa twice") != std::string::npos);
    CHECK(refused({{"t\xc3\xbcr", record}}, "level1_A").find("ASCII") != std::string::npos);
    CHECK_FALSE(refused({{"", record}}, "level1_A").empty());
    CHECK_FALSE(refused({{"a", record}}, "").empty());
    CHECK_FALSE(refused({{"a", record}}, "level1_\xc3\xbc").empty());
    CHECK(refused({}, "level1_A").empty());
}

TEST_CASE("a level is a document", "[oban-level]") {
    const FileBytes bytes = oban_fixture("level_mixed.dat");
    const auto document = read_document(bytes, "", "level_mixed.dat");
    REQUIRE(document);
    CHECK((*document)->format().id == "oban_level");
    CHECK((*document)->write().value() == bytes);
    CHECK((*document)->info()["obans"].size() == 4);
    const auto json = read_document(view_of(json_of(**document)), "", "level.json");
    REQUIRE(json);
    CHECK((*json)->write().value() == bytes);
    const std::vector<double> times = {0.0};
    CHECK((*document)->pose(times, std::nullopt).error().reason.find("extract") != std::string::npos);
    CHECK_FALSE((*document)->as_stored());
    CHECK_FALSE((*document)->edited(Json::object()));
    CHECK((*document)->check(CheckLevel::upload, ""));
}

TEST_CASE("two levels are compared by names", "[oban-level]") {
    const auto open = [](const std::string& file) {
        auto document = read_document(oban_fixture(file), "", file);
        REQUIRE(document);
        return std::move(*document);
    };
    const DocumentPtr pc = open("level_pc.dat");
    const auto same = pc->compare(*open("level_mac.dat"), Job());
    REQUIRE(same);
    CHECK((*same)["max_position_mm"] == 0.0);
    CHECK((*same)["only_in_a"].empty());
    const auto other = pc->compare(*open("replaced/level_pc_swing_shorter.dat"), Job());
    REQUIRE(other);
    CHECK((*other)["max_position_mm"].get<double>() > 0.0);
    const auto names = pc->compare(*open("level_mixed.dat"), Job());
    REQUIRE(names);
    CHECK((*names)["only_in_a"] == Json({"Door_A", "swing"}));
    CHECK_FALSE(pc->compare(*open("swing.oban"), Job()));
    CHECK_FALSE(pc->compare(*pc, Job([](double) { return false; })));
}

TEST_CASE("JSON of a level that contradicts itself is refused", "[oban-level]") {
    const Json json = oban::level::to_json(level_fixture("level_pc.dat"));
    const auto refused = [&](const char* pointer, const Json& value) {
        Json changed = json;
        place_in(changed, pointer) = value;
        const auto level = oban::level::level_from_json(changed);
        REQUIRE_FALSE(level);
        CHECK(level.error().code == ErrorCode::bad_value);
        return level.error().field;
    };
    CHECK(refused("/format", "oban") == "format");
    CHECK(refused("/obans/0/name", "other") == "obans[0].name");
    CHECK(refused("/obans/0/record/keys", Json::array()) == "around_hex");
    CHECK(refused("/obans/0/record/tail_hex", std::string(64, '0')) == "obans[0].record.keys");
    CHECK(refused("/around_hex/0", "00") == "around_hex");
    CHECK(refused("/around_hex", Json::array()) == "around_hex");
    CHECK_FALSE(refused("/obans/1", 7).empty());
    Json edited = json;
    edited["obans"][0]["record"]["frame_length"] = 80;
    const auto level = oban::level::level_from_json(edited);
    REQUIRE(level);
    CHECK(oban::level::oban_in(*level, 0)->record.frame_length == 80);
}

TEST_CASE("an OBAN comes out of a level", "[oban-level]") {
    const auto bridged = out_of_level("level_pc.dat", {{"oban", "swing"}});
    REQUIRE(bridged);
    const oban::file::Document* document = as_oban(*bridged->document);
    REQUIRE(document != nullptr);
    CHECK(document->name == "swing");
    CHECK(document->record.keys == record_fixture("swing.oban").keys);
    CHECK(out_of_level("level_pc.dat", Json::object()).error().reason.find("Door_A, swing") !=
          std::string::npos);
    CHECK(out_of_level("level_pc.dat", {{"name", "swing"}}).error().field == "name");
    CHECK(out_of_level("level_pc.dat", {{"oban", 3}}).error().field == "oban");
}

TEST_CASE("OBANs become files of their own", "[oban-level]") {
    const oban::level::Level level = level_fixture("level_pc.dat");
    const auto files = oban::level::extract_files(level, {}, oban::level::FileKind::oni);
    REQUIRE(files);
    REQUIRE(files->size() == 2);
    CHECK((*files)[0].file_name == "OBANDoor_A.oni");
    const auto one = oban::level::extract_files(level, {"swing"}, oban::level::FileKind::raw);
    REQUIRE(one);
    CHECK((*one)[0].bytes == oban::file::write_record(oban::level::oban_in(level, 1)->record));
    CHECK(oban::level::extract_files(level, {"swing", "OBANswing"}, oban::level::FileKind::xml)
              ->at(0)
              .file_name == "OBANswing.xml");
    CHECK_FALSE(oban::level::extract_files(level, {"nobody"}, oban::level::FileKind::xml));
    CHECK(oban::level::extract_files(level_fixture("level_mixed.dat"), {}, oban::level::FileKind::raw)
              ->at(1)
              .file_name == "OBAN#3.oban");
    for (const Json& row : oban_manifest()["names"]["files"]) {
        const auto name = row["read"].get<std::string>();
        const std::string file = file_name_of(name, oban::level::FileKind::oni);
        const auto wanted = row["file"].get<std::string>();
        CHECK((file == wanted || wanted.find("OBAN") != 0));
    }
    CHECK(file_name_of("OBAN../a\\b:\x01%", oban::level::FileKind::raw) == "OBAN..%2Fa%5Cb%3A%01%25.oban");
}

TEST_CASE("every level fixture keeps the invariants, whole and damaged", "[oban-level]") {
    std::size_t count = 0;
    for (const Json& row : level_rows()) {
        const auto file = row["file"].get<std::string>();
        INFO(file);
        FileBytes bytes = oban_fixture(file);
        bool was_read = false;
        CHECK_NOTHROW(was_read = check_oban_level_bytes(bytes, Effort::full));
        CHECK(was_read == (row["read"] == "ok"));
        for (std::size_t place = 0; place < bytes.size(); ++place) {
            const FileBytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(place));
            CHECK_NOTHROW(check_oban_level_bytes(cut, Effort::quick));
            const std::uint8_t original = bytes[place];
            for (const int patch : {0x00, 0x01, 0x02, 0x7f, 0x80, 0xff, original + 1, original - 1}) {
                bytes[place] = static_cast<std::uint8_t>(patch);
                try {
                    check_oban_level_bytes(bytes, ++count % 31 == 0 ? Effort::full : Effort::quick);
                } catch (const BrokenInvariant& broken) {
                    FAIL(file << " with " << patch << " at " << place << ": " << broken.what());
                }
            }
            bytes[place] = original;
        }
    }
    CHECK(count > 5000);
}
