// SPDX-License-Identifier: MIT
// OBAN files: what is read, what is refused and where, and what is written again.
#include <algorithm>
#include <cstring>

#include "catch.h"
#include "formats/oban/edit/edit.h"
#include "formats/oban/file/file.h"
#include "oban_fixtures.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

oban::file::Document read_fixture(const std::string& file) {
    auto document = oban::file::read(oban_fixture(file));
    INFO(file << ": " << (document ? "" : document.error().message()));
    REQUIRE(document.has_value());
    return *document;
}

/// "OBANname", as in the manifest.
std::string tagged(const std::string& name) { return "OBAN" + name; }

Bytes level_with(std::size_t instances, std::uint32_t step);

}  // namespace

TEST_CASE("every OBAN fixture is read or refused as the witness says", "[oban-read]") {
    std::size_t refused = 0;
    for (const Json& row : oban_rows()) {
        const auto file = row["file"].get<std::string>();
        INFO(file);
        const FileBytes bytes = oban_fixture(file);
        const auto document = oban::file::read(bytes);
        REQUIRE(document.has_value() == (row["read"] == "ok"));
        if (!document) {
            ++refused;
            CHECK(document.error().field == row["error_field"].get<std::string>());
            if (!row["error_offset"].is_null()) {
                CHECK(document.error().byte_offset == row["error_offset"].get<std::int64_t>());
            }
            continue;
        }
        const Json& record = row["records"][0];
        CHECK(document->record.keys.size() == record["keys"].get<std::size_t>());
        const bool is_xml = document->container == oban::file::Container::xml;
        CHECK((is_xml || oban::file::write(*document) == bytes));
        CHECK((is_xml || document->name.empty() == record["name"].is_null()));
        if (document->container == oban::file::Container::oni && !record["name"].is_null()) {
            // The manifest has names as Latin-1.
            const bool ascii = file.find("not_ascii") == std::string::npos;
            CHECK((!ascii || tagged(document->name) == record["name"].get<std::string>()));
        }
    }
    CHECK(refused > 60);
}

TEST_CASE("the published example of a record is read as published", "[oban-read]") {
    const oban::file::Record record = read_fixture("published_van_one_key.oban").record;
    CHECK(record.keys.size() == 1);
    CHECK(record.frame_length == 80);
    CHECK(record.frame_count == 501);
    const oban::file::Key& key = record.keys.front();
    CHECK(key.rotation[0].value() == Approx(-0.7071068));
    CHECK(key.rotation[3].value() == Approx(-0.7071067));
    const FileBytes position = {0x6B, 0x9A, 0x94, 0x44, 0x97, 0xFD, 0x5B, 0xC2, 0x5D, 0x06, 0xDA, 0xC2};
    FileBytes found(position.size());
    std::memcpy(found.data(), key.position.data(), found.size());
    CHECK(found == position);
    CHECK(record.base[0].value() == Approx(1.82F));
}

TEST_CASE("the published camera has its pose in the Base and its name in the file", "[oban-read]") {
    const oban::file::Document camera = read_fixture("published_camera.oni");
    CHECK(camera.name == "shpadoinkle");
    CHECK(camera.container == oban::file::Container::oni);
    CHECK(camera.record.keys.size() == 1);
    CHECK(camera.record.keys.front().time == 0);
    const oban::file::Document older = read_fixture("published_camera_older.oni");
    CHECK(older.record == camera.record);
    CHECK(older.before.size() < older.after.size() + older.before.size());
    CHECK(read_fixture("published_camera.xml").record.keys == camera.record.keys);
}

TEST_CASE("a new .oni is what OniSplit creates, byte for byte", "[oban-read]") {
    for (const char* const file : {"oni_created.oni", "published_camera.oni", "oni_name_63.oni"}) {
        INFO(file);
        const oban::file::Document document = read_fixture(file);
        const auto made = oban::file::new_oni(document.record, document.name);
        REQUIRE(made.has_value());
        CHECK(*made == document);
        CHECK(oban::file::write(*made) == oban_fixture(file));
        CHECK(oban::file::new_oni(document.record, "OBAN" + document.name)->before == document.before);
    }
    oban::file::Record record = odd_record();
    record.res_id = 77;
    record.lev_id = 88;
    const auto made = oban::file::new_oni(record, "x");
    REQUIRE(made.has_value());
    CHECK((made->record.res_id == 1 && made->record.lev_id == 0));
    CHECK(made->record.padding == record.padding);
}

TEST_CASE("names that cannot be stored are refused", "[oban-read]") {
    for (const Json& name : oban_manifest()["names"]["refused"]) {
        INFO(name.dump());
        const auto made = oban::file::new_oni(oban::file::Record{}, name.get<std::string>());
        REQUIRE_FALSE(made.has_value());
        CHECK(made.error().code == ErrorCode::invalid_argument);
        CHECK(made.error().field == "name");
        CHECK(is_utf8(made.error().message()));
    }
    for (const Json& row : oban_manifest()["names"]["files"]) {
        CHECK(tagged(oban::file::name_of_file("/some.where/" + row["file"].get<std::string>())) ==
              row["read"].get<std::string>());
    }
    CHECK(oban::file::name_of_file("no_extension") == "no_extension");
    CHECK(oban::file::name_of_file("cut%4") == "cut%4");
    CHECK(oban::file::name_of_file("a%zz.oni") == "a%zz");
}

TEST_CASE("another record of the same size keeps every byte around it", "[oban-read]") {
    const oban::file::Document exported = read_fixture("oni_exported.oni");
    oban::file::Record record = exported.record;
    record.flags = 0;
    const auto same_size = oban::edit::with_record(exported, record);
    REQUIRE(same_size.has_value());
    CHECK((same_size->document.before == exported.before && same_size->document.after == exported.after));
}

TEST_CASE("a .oni with more or fewer keys keeps what is around them", "[oban-read]") {
    std::size_t resized = 0;
    for (const Json& row : oban_rows()) {
        const auto file = row["file"].get<std::string>();
        if (row["read"] != "ok" || file.find(".oni") == std::string::npos) {
            continue;
        }
        INFO(file);
        const oban::file::Document before = read_fixture(file.c_str());
        for (const std::size_t keys : {before.record.keys.size() + 2, std::size_t{1}}) {
            oban::file::Record record = before.record;
            record.keys.resize(keys);
            const auto made = oban::edit::with_record(before, record);
            REQUIRE(made.has_value());
            CHECK(made->left_behind.empty());
            const Bytes bytes = oban::file::write(made->document);
            const auto again = oban::file::read(bytes);
            REQUIRE(again.has_value());
            CHECK(*again == made->document);
            CHECK((again->record == record && again->name == before.name && again->after == before.after));
            // And back: every number of the tables is restored.
            CHECK(oban::edit::with_record(*again, before.record)->document == before);
            ++resized;
        }
    }
    CHECK(resized > 20);
}

TEST_CASE("a .oni that gets another name tells what it leaves behind", "[oban-read]") {
    const oban::file::Document older = read_fixture("oni_older.oni");
    const auto made = oban::edit::made_anew(older, older.record, "other");
    REQUIRE(made.has_value());
    CHECK(made->document == *oban::file::new_oni(older.record, "other"));
    CHECK(std::count(made->left_behind.begin(), made->left_behind.end(), "layout") == 1);
    const oban::file::Document created = read_fixture("oni_created.oni");
    CHECK(oban::edit::made_anew(created, created.record, "other")->left_behind.empty());
}

TEST_CASE("levels and the unseen version are refused by their version", "[oban-read]") {
    for (const char* const file : {"level_pc.dat", "oni_version_33.oni"}) {
        const auto document = oban::file::read(oban_fixture(file));
        REQUIRE_FALSE(document.has_value());
        CHECK(document.error().code == ErrorCode::unsupported_version);
        CHECK(document.error().field == "version");
        CHECK(document.error().byte_offset == 8);
    }
}

TEST_CASE("raw records are told from other contents", "[oban-read]") {
    CHECK(oban::file::sniff(oban_fixture("swing.oban")));
    CHECK(oban::file::sniff(oban_fixture("oni_older.oni")));
    CHECK(oban::file::sniff(oban_fixture("xml_swing.xml")));
    // A record's res_id may be any number, even one that spells the beginning of an XML.
    FileBytes spelling = oban_fixture("swing.oban");
    std::memcpy(spelling.data(), "<Oni", 4);
    CHECK(oban::file::sniff(spelling));
    CHECK(oban::file::read(spelling).has_value());
    CHECK_FALSE(oban::file::sniff(oban_fixture("trailing_byte.oban")));
    CHECK_FALSE(oban::file::sniff(oban_fixture("zeros.oban")));
    CHECK_FALSE(oban::file::sniff(oban_fixture("text.oban")));
    CHECK_FALSE(oban::file::sniff(oban_fixture("level_pc.dat")));
    CHECK_FALSE(oban::file::sniff({}));
    for (const Fixture& animation : fixtures()) {
        INFO(animation.file);
        CHECK_FALSE(oban::file::sniff(animation.bytes()));
    }
}

namespace {

/// A level of OBANs without keys, each `step` bytes after the one before.
Bytes level_with(std::size_t instances, std::uint32_t step) {
    oban::file::ContainerTables tables;
    tables.header.version = oban::file::level_version;
    tables.header.instance_count = static_cast<std::uint32_t>(instances);
    tables.header.data_offset =
        static_cast<std::uint32_t>(oban::file::aligned(64 + sizeof(oban::file::Instance) * instances));
    tables.header.data_size = static_cast<std::uint32_t>(step * instances + oban::file::head_bytes);
    for (std::size_t i = 0; i < instances; ++i) {
        oban::file::Instance instance;
        instance.data_offset = static_cast<std::uint32_t>(8 + step * i);
        instance.data_size = oban::file::head_bytes;
        instance.flags = oban::file::unnamed;
        tables.instances.push_back(instance);
    }
    Bytes bytes = oban::file::write_tables(tables);
    bytes.resize(tables.header.data_offset + tables.header.data_size);
    return bytes;
}

}  // namespace

TEST_CASE("bytes that instances share are found in a level of any size", "[oban-read]") {
    const auto apart = oban::file::read_container(level_with(50000, oban::file::head_bytes));
    REQUIRE(apart.has_value());
    CHECK(apart->instances.size() == 50000);
    CHECK(oban::file::read_container(level_with(50000, 0))
              .has_value());  // all share the same bytes: duplicates
    const auto shared = oban::file::read_container(level_with(50000, oban::file::head_bytes - 4));
    REQUIRE_FALSE(shared.has_value());
    CHECK(shared.error().field == "instances[1].data_offset");
    CHECK(shared.error().byte_offset == 64 + 20 + 4);
}
