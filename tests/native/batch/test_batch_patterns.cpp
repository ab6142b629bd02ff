// SPDX-License-Identifier: MIT
// Patterns match as shells say.
#include <string>

#include "base/files/files.h"
#include "batch/plan/plan.h"
#include "catch.h"

using namespace animbridge::batch::plan;

TEST_CASE("A question mark is one character, whatever its bytes", "[batch]") {
    CHECK(name_matches("\u00E4.anim", "?.anim"));
    CHECK_FALSE(name_matches("\u00E4\u00E4.anim", "?.anim"));
    CHECK(name_matches("\xff.anim", "?.anim"));
    CHECK(name_matches("\u00E4", "[\u00E0-\u00E9]"));
    CHECK_FALSE(name_matches("\u00FC", "[\u00E0-\u00E9]"));
}

TEST_CASE("A pattern of many stars ends in time", "[batch]") {
    std::string pattern;
    for (int i = 0; i < 40; ++i) {
        pattern += "*a";
    }
    CHECK_FALSE(name_matches(std::string(10'000, 'a') + "b", pattern + "c"));
}

TEST_CASE("Paths are tidy, and names have stems", "[batch]") {
    CHECK(with_slashes(tidy_path("./a//b/./c/")) == "a/b/c");
    CHECK(with_slashes(tidy_path("a/../b")) == "a/../b");
    CHECK(with_slashes(tidy_path("/")) == "/");
    CHECK(tidy_path("./") == ".");
    CHECK(joined_path("", "a") == "a");
    CHECK(joined_path("/", "a") == "/a");
    CHECK(joined_path("a", "") == "a");
    CHECK(suffix_of("walk.mesh.xml") == ".xml");
    CHECK(suffix_of(".hidden").empty());
    CHECK(suffix_of("dot.").empty());
    CHECK(stem_of("walk.anim") == "walk");
    CHECK(stem_of("dot.") == "dot.");
    CHECK(is_in_folder("/a/b", "/a"));
    CHECK(is_in_folder("/a", "/"));
    CHECK_FALSE(is_in_folder("/ab", "/a"));
}

TEST_CASE("Names that are taken get numbers", "[batch]") {
    TakenStems taken;
    CHECK(free_stem("Walk", ".bvh", taken) == "Walk");
    CHECK(free_stem("walk", ".bvh", taken) == "walk_2");
    CHECK(free_stem("WALK", ".bvh", taken) == "WALK_3");
    CHECK(free_stem("con", ".bvh", taken) == "_con");
    const std::string longest = free_stem(std::string(400, 'x'), ".bvh", taken);
    const std::string next = free_stem(std::string(400, 'x'), ".bvh", taken);
    CHECK(longest.size() + 4 <= 255);
    CHECK(next.size() + 4 <= 255);
    CHECK(next.ends_with("_2"));
}
