// SPDX-License-Identifier: MIT
// Open folders. What links do to them: tests/command/test_batch_links.py.
#include "base/files/files.h"
#include "catch.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

std::string text_of_file(const std::filesystem::path& path) {
    const FileBytes bytes = load(path);
    return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("Files are written below an open folder", "[files]") {
    const ScratchFolder scratch;
    const auto folder = Folder::open(text_of_path(scratch.path() / "new" / "deep"));
    REQUIRE(folder);
    const std::string below = joined_path(joined_path("sub", "w\u00E4lk"), "a.anim");
    for (const std::string text : {"first", "second"}) {
        REQUIRE(folder->write(below, view_of(text)));
        CHECK(text_of_file(scratch.path() / "new" / "deep" / path_of(below)) == text);
    }
    CHECK(folder->names() == std::vector<std::string>{"sub"});
    CHECK(folder->has("sub"));
    CHECK_FALSE(folder->has("other"));
    CHECK_FALSE(folder->write("sub", view_of("a folder is there")));
    CHECK_FALSE(folder->write(joined_path("..", "out.anim"), view_of("outside")));
    CHECK_FALSE(folder->folder(joined_path("sub", "..")));
    CHECK_FALSE(folder->folder(joined_path(below, "x")));
    const auto inner = folder->folder("sub");
    REQUIRE(inner);
    CHECK(path_of(inner->place_of("x")) == scratch.path() / "new" / "deep" / "sub" / "x");
}

TEST_CASE("A folder is removed with all that is in it", "[files]") {
    const ScratchFolder scratch;
    const auto folder = Folder::open(text_of_path(scratch.path()));
    REQUIRE(folder);
    REQUIRE(folder->write(joined_path(joined_path("a", "b"), "c"), view_of("x")));
    REQUIRE(folder->write("file", view_of("x")));
    folder->remove("a");
    folder->remove("none");
    CHECK(scratch.names() == std::set<std::string>{"file"});
    folder->remove("file");
    CHECK(scratch.names().empty());
}

TEST_CASE("A file has its name when it is complete", "[files]") {
    const ScratchFolder scratch;
    const auto place = scratch.path() / "deep" / "report.json";
    std::filesystem::create_directory(scratch.path() / "deep");
    save(scratch.path() / "deep" / "report.json.partial", {'a', ' ', 'k', 'i', 'l', 'l'});
    auto file = PartialFile::open(text_of_path(place));
    REQUIRE(file);
    REQUIRE(file->append("one "));
    CHECK_FALSE(std::filesystem::exists(place));
    REQUIRE(file->append("two"));
    REQUIRE(file->finish());
    CHECK(text_of_file(place) == "one two");
    CHECK_FALSE(std::filesystem::exists(scratch.path() / "deep" / "report.json.partial"));
}
