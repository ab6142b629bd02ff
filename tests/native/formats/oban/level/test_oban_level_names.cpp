// SPDX-License-Identifier: MIT
// Names of a level's OBANs that no tool would make: without tag, in no encoding, too long for a file.
#include <algorithm>
#include <functional>

#include "base/base.h"
#include "catch.h"
#include "formats/oban/file/file.h"
#include "formats/oban/level/level.h"
#include "oban_fixtures.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// A level whose first OBAN's stored name is overwritten with one of the same length.
oban::level::Level level_with_name(const std::function<std::string(std::string)>& change) {
    Bytes file = oban_fixture("level_pc.dat");
    const auto before = oban::level::read_level(file);
    REQUIRE(before);
    const std::string name(before->obans.at(0).name);
    const std::string changed = change(name);
    REQUIRE(changed.size() == name.size());
    const std::size_t at =
        before->tables.header.name_offset + before->tables.instances[before->obans[0].instance].name_offset;
    std::copy(changed.begin(), changed.end(), file.begin() + static_cast<std::ptrdiff_t>(at));
    auto level = oban::level::read_level(std::move(file));
    REQUIRE(level);
    return std::move(*level);
}

}  // namespace

TEST_CASE("an OBAN whose stored name has no tag is found by that name", "[oban-level]") {
    const oban::level::Level level =
        level_with_name([](std::string name) { return "door" + name.substr(4); });
    const std::string name(level.obans[0].name);
    CHECK(oban::level::find_oban(level, name).value() == 0);
    CHECK(oban::level::find_oban(level, "OBAN" + name).value() == 0);
    CHECK(oban::level::oban_in(level, 0)->name == name);
    CHECK(oban::level::extract_files(level, {name}, oban::level::FileKind::raw)->size() == 1);
}

TEST_CASE("an OBAN whose name is no text is found by number, and has a file name of ASCII", "[oban-level]") {
    const oban::level::Level level = level_with_name([](std::string name) {
        name[4] = static_cast<char>(0xff);
        name[5] = '\x1b';
        name[6] = '\x7f';
        return name;
    });
    CHECK(oban::level::find_oban(level, "#" + std::to_string(level.obans[0].instance)).value() == 0);
    const std::string listed = oban::level::find_oban(level, "nobody\n").error().reason;
    CHECK(listed.find("nobody\\x0A") != std::string::npos);
    CHECK(listed.find("\\x1B\\x7F") != std::string::npos);
    CHECK(listed.find('\x1b') == std::string::npos);
    const auto files = oban::level::extract_files(level, {}, oban::level::FileKind::raw);
    REQUIRE(files);
    CHECK(files->at(0).file_name.starts_with("OBAN%FF%1B%7F"));
    CHECK(oban::file::name_of_file(files->at(0).file_name) == oban::file::without_tag(level.obans[0].name));
}

TEST_CASE("messages name a few of many, and cut long names", "[oban-level]") {
    CHECK(some_of({}).empty());
    CHECK(some_of({"a", "b"}) == "a, b");
    CHECK(some_of({"a", "b", "c", "d", "e", "f"}) == "a, b, c, d, e, f");
    CHECK(some_of({"a", "b", "c", "d", "e", "f", "g", "h"}) == "a, b, c, d, e, f and 2 more");
    CHECK(some_of({std::string(59, 'x') + "\u00e9", "b", "c"}, 1) == std::string(59, 'x') + "... and 2 more");
}

TEST_CASE("a name that is too long for a file is cut, and no %XX in two", "[oban-level]") {
    oban::level::Level level = level_with_name([](std::string name) { return name; });
    for (std::size_t ahead = 4; ahead < 7; ++ahead) {
        const std::string long_name = "OBAN" + std::string(ahead, 'a') + std::string(100, '\xff');
        const std::string longer_name = long_name + "b";
        level.obans[0].name = long_name;
        level.obans[1].name = longer_name;
        const auto files = oban::level::extract_files(level, {}, oban::level::FileKind::raw);
        REQUIRE(files);
        REQUIRE(files->size() == 2);
        for (const oban::level::ExtractedFile& file : *files) {
            CHECK(file.file_name.size() <= 248);
            CHECK(file.file_name.size() > 230);
        }
        // The rest is the name's beginning, and the two files differ.
        const std::string read = oban::file::name_of_file((*files)[0].file_name);
        CHECK(("OBAN" + read) == long_name.substr(0, 4 + read.size()));
        const std::string number = "#" + std::to_string(level.obans[1].instance) + ".oban";
        CHECK((*files)[1].file_name.ends_with(number));
    }
}

TEST_CASE("an OBAN that cannot be made is the level's fault and not the caller's", "[oban-level]") {
    const oban::level::Level level = level_with_name([](std::string name) {
        name[5] = static_cast<char>(0xff);
        return name;
    });
    CHECK(oban::level::extract_files(level, {}, oban::level::FileKind::oni).error().code ==
          ErrorCode::bad_value);
    CHECK(oban::level::extract_files(level, {"nobody"}, oban::level::FileKind::oni).error().code ==
          ErrorCode::invalid_argument);
}
