// SPDX-License-Identifier: MIT
// Reading and writing files: whole or not at all.
#include <fstream>

#include "allocations.h"
#include "base/files/files.h"
#include "catch.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

TEST_CASE("a file is read whole", "[files]") {
    const ScratchFolder scratch;
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{4097}, std::size_t{100000}}) {
        FileBytes bytes(size);
        for (std::size_t i = 0; i < size; ++i) {
            bytes[i] = static_cast<std::uint8_t>(i * 31 + i / 256);
        }
        save(scratch.path() / "f", bytes);
        const auto read = read_file((scratch.path() / "f").string());
        REQUIRE(read.has_value());
        CHECK(*read == bytes);
    }
}

TEST_CASE("what cannot be read is told with its name", "[files]") {
    const ScratchFolder scratch;
    for (const std::string& path :
         {(scratch.path() / "missing").string(), scratch.path().string(), std::string()}) {
        const auto read = read_file(path);
        REQUIRE_FALSE(read.has_value());
        CHECK(read.error().code == ErrorCode::io);
        CHECK(read.error().file == path);
        CHECK_FALSE(read.error().reason.empty());
    }
}

TEST_CASE("a file that is too large is refused before it is read", "[files]") {
    const ScratchFolder scratch;
    const std::string path = (scratch.path() / "sparse").string();
    std::ofstream(path, std::ios::binary).seekp((std::streamoff{5} << 30U) - 1).put('\0');
    const Allocations counted;
    const auto read = read_file(path);
    CHECK(Allocations::peak_bytes() < 100'000);
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().code == ErrorCode::io);
    CHECK(read.error().message() == path + ": found 5368709120 bytes; at most 4294967296 are read");
}

TEST_CASE("writing replaces a file and leaves nothing beside it", "[files]") {
    const ScratchFolder scratch;
    const auto path = scratch.path() / "f.anim";
    REQUIRE(write_file(path.string(), FileBytes{1, 2, 3}).has_value());
    CHECK(load(path) == FileBytes{1, 2, 3});
    REQUIRE(write_file(path.string(), FileBytes{}).has_value());
    CHECK(load(path).empty());
    CHECK(scratch.names() == std::set<std::string>{"f.anim"});
}

TEST_CASE("a folder is no place to put a file", "[files]") {
    const ScratchFolder scratch;
    std::filesystem::create_directory(scratch.path() / "folder");
    save(scratch.path() / "folder" / "inside", FileBytes{1, 2});
    CHECK_FALSE(write_file((scratch.path() / "folder").string(), FileBytes{1}).has_value());
    CHECK_FALSE(write_file((scratch.path() / "missing" / "f").string(), FileBytes{1}).has_value());
    CHECK_FALSE(write_file("", FileBytes{1}).has_value());
    CHECK(scratch.names() == std::set<std::string>{"folder"});
    CHECK(load(scratch.path() / "folder" / "inside") == FileBytes{1, 2});
}
