// SPDX-License-Identifier: MIT
// What surrounds a record: bytes after the keys in a level, and files whose name or size changes.
#include <algorithm>

#include "catch.h"
#include "convert/convert.h"
#include "formats/oban/edit/edit.h"
#include "formats/oban/file/file.h"
#include "formats/oban/level/level.h"
#include "oban_fixtures.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// A record with bytes after its keys, from a level.
oban::file::Document record_with_tail() {
    const auto level = oban::level::read_level(oban_fixture("level_pc.dat"));
    REQUIRE(level);
    auto document = oban::level::oban_in(*level, 0);
    REQUIRE(document);
    oban::file::Record& record = document->record;
    record.tail.assign(sizeof(oban::file::Key), 0xab);
    auto file = oban::level::replaced(*level, 0, record);
    REQUIRE(file);
    const auto again = oban::level::read_level(std::move(*file));
    REQUIRE(again);
    auto read = oban::level::oban_in(*again, 0);
    REQUIRE(read);
    CHECK(read->record == record);
    return std::move(*read);
}

/// A file with a second instance that has exactly the same bytes.
oban::file::Document oni_with_shared_record() {
    const auto made = oban::file::new_oni(odd_record(), "shared");
    REQUIRE(made);
    const Bytes file = oban::file::write(*made);
    auto tables = oban::file::read_container(file);
    REQUIRE(tables);
    tables->instances.push_back(tables->instances[0]);
    tables->header.instance_count = 2;
    constexpr std::uint32_t shift = oban::file::block_alignment;  // room for one more descriptor
    tables->header.name_offset += shift;
    tables->header.data_offset += shift;
    Bytes bytes = oban::file::write_tables(*tables);
    const std::size_t names_at = tables->header.name_offset;
    bytes.resize(names_at);
    bytes.insert(bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(names_at - shift), file.end());
    auto read = oban::file::read(bytes);
    REQUIRE(read);
    CHECK(read->record.keys == odd_record().keys);
    return std::move(*read);
}

}  // namespace

TEST_CASE("bytes behind the keys come out of a level, and a raw file tells that it has no room",
          "[oban-tail]") {
    const oban::file::Document document = record_with_tail();
    const Bytes raw = oban::file::write(document);
    CHECK(raw == oban::file::write_record(document.record));
    CHECK_FALSE(oban::file::read(raw).has_value());
    CHECK_FALSE(read_document(raw, "oban", "door.oban").has_value());
    CHECK(oban::file::from_json(oban::file::to_json(document)).value() == document);
    const auto dropped = oban::edit::in_container(document, oban::file::Container::raw, "");
    REQUIRE(dropped);
    CHECK(std::count(dropped->left_behind.begin(), dropped->left_behind.end(), "tail") == 1);
    CHECK(oban::file::read(oban::file::write(dropped->document)).has_value());
    const auto oni = oban::edit::in_container(document, oban::file::Container::oni, "");
    REQUIRE(oni);
    CHECK(oban::file::read(oban::file::write(oni->document))->record.tail == document.record.tail);
}

TEST_CASE("a .oni whose instances share the record's bytes is made anew, and says so", "[oban-tail]") {
    const oban::file::Document before = oni_with_shared_record();
    oban::file::Record record = before.record;
    record.keys.pop_back();
    CHECK_FALSE(oban::file::resized(before, record));
    const auto made = oban::edit::with_record(before, record);
    REQUIRE(made);
    CHECK(made->document == *oban::file::new_oni(record, "shared"));
    CHECK(made->left_behind == std::vector<std::string_view>{"layout"});
}

TEST_CASE("a record that grows by other than whole keys gets a new file", "[oban-tail]") {
    const oban::file::Document before = *oban::file::read(oban_fixture("oni_exported.oni"));
    oban::file::Record record = before.record;
    record.tail.assign(3, 0x01);
    CHECK_FALSE(oban::file::resized(before, record));
    record.tail.assign(sizeof(oban::file::Key), 0x01);
    CHECK(oban::file::resized(before, record));
}

TEST_CASE("what a new name leaves of a .oni is told with the file", "[oban-tail]") {
    const auto older = read_document(oban_fixture("oni_older.oni"), "", "oni_older.oni");
    REQUIRE(older);
    const auto renamed = (*older)->edited({{"name", "other"}});
    REQUIRE(renamed);
    const auto told = renamed->document->as_file_named("other.oni");
    REQUIRE(told);
    const Json left = told->report["left_behind"];
    CHECK(std::find(left.begin(), left.end(), "layout") != left.end());
    const auto flags = (*older)->edited({{"flags", 1}});
    REQUIRE(flags);
    CHECK(flags->document->as_file_named("other.oni")->report["left_behind"].empty());
    const auto again = renamed->document->edited({{"flags", 1}});
    REQUIRE(again);
    CHECK(again->document->as_file_named("other.oni")->report["left_behind"] == left);
}
