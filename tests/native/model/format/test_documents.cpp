// SPDX-License-Identifier: MIT
// Every fixture. What the specification says about each is asked through the C interface
// (library/test_documents.cpp).
#include <chrono>

#include "catch.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/file/file.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

TEST_CASE("the fixtures are there", "[documents]") {
    REQUIRE(fixtures().size() > 200);
    std::set<std::string> listed;
    for (const Fixture& row : fixtures()) {
        listed.insert(row.file);
    }
    for (const auto& entry : std::filesystem::directory_iterator(fixture_folder())) {
        if (entry.path().extension() == ".anim") {
            INFO("not in the manifest: " << entry.path().filename());
            CHECK(listed.erase(entry.path().filename().string()) == 1);
        }
    }
    CHECK(listed.empty());
}

TEST_CASE("JSON carries the whole document", "[documents]") {
    for (const Fixture& row : fixtures()) {
        INFO(row.file);
        const FileBytes bytes = row.bytes();
        const auto document = sl_anim::file::read(bytes);
        if (!document) {
            continue;
        }
        const auto parsed = parse_json(print_json(sl_anim::file::to_json(*document)));
        REQUIRE(parsed.has_value());
        const auto back = sl_anim::file::from_json(*parsed);
        REQUIRE(back.has_value());
        CHECK(*back == *document);
        CHECK(file_bytes(*document) == bytes.size());
    }
}

TEST_CASE("the rules that some fixture meets are nearly all", "[documents]") {
    std::set<std::string> met;
    for (const Fixture& row : fixtures()) {
        for (const auto& [level, ids] : row.findings) {
            met.insert(ids.begin(), ids.end());
        }
    }
    std::set<std::string> never;
    for (const Rule& rule : sl_anim::check::rules()) {
        if (!met.contains(std::string(rule.id))) {
            never.emplace(rule.id);
        }
    }
    // These two rules depend on the id under which a file is stored; see test_check.cpp.
    never.erase("emote_starts_itself");
    never.erase("loop_forced_off");
    // And this one on what an animation is for.
    never.erase("below_ao");
    // Only several files together have these; see tests/command/test_check_folder.py.
    for (const char* together : {"positions_inherited", "stand_too_strong", "hands_too_strong"}) {
        CHECK(never.erase(together) == 1);
    }
    CHECK(never == std::set<std::string>());
}

TEST_CASE("announcing much costs nothing", "[documents]") {
    // 2^31 joints or keys in a file of a hundred bytes are refused before anything is allocated.
    const auto started = std::chrono::steady_clock::now();
    for (int round = 0; round < 100; ++round) {
        for (const Fixture& row : fixtures()) {
            if (row.file.starts_with("count_")) {
                CHECK_FALSE(sl_anim::file::read(row.bytes()).has_value());
            }
        }
    }
    CHECK(std::chrono::steady_clock::now() - started < std::chrono::seconds(20));
}
