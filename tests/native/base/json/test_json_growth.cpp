// SPDX-License-Identifier: MIT
// Large JSON: the work that it takes, and how the fuzz target makes it from small inputs.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "allocations.h"
#include "base/json/json.h"
#include "catch.h"
#include "fuzz_inputs.h"
#include "fuzz_json_growth.h"
#include "json_place.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

std::string joined(std::size_t count, const std::function<std::string(std::size_t)>& piece) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += (i == 0 ? "" : ",") + piece(i);
    }
    return text;
}

struct Work {
    std::size_t steps;
    std::size_t allocations;
    std::size_t peak_bytes;
};

Work work_of(const std::string& text) {
    const Allocations counting;
    std::size_t steps = 0;
    const auto parsed = parse_json(text, &steps);
    const bool fine = parsed && !print_json(*parsed).empty();
    const Work work{steps, Allocations::count(), Allocations::peak_bytes()};
    REQUIRE(fine);
    return work;
}

}  // namespace

TEST_CASE("eight times the JSON is eight times the work", "[json]") {
    using Text = std::function<std::string(std::size_t)>;
    const std::vector<std::pair<const char*, Text>> texts = {
        {"empty objects", [](std::size_t n) { return "[" + joined(n, [](auto) { return "{}"; }) + "]"; }},
        {"arrays of one", [](std::size_t n) { return "[" + joined(n, [](auto) { return "[0]"; }) + "]"; }},
        {"distinct keys",
         [](std::size_t n) {
             return "{" + joined(n, [](auto i) { return "\"" + std::to_string(i) + "\": {\"a\": 1}"; }) + "}";
         }},
        {"equal keys",
         [](std::size_t n) { return "{" + joined(n, [](auto) { return "\"a\": [1]"; }) + "}"; }},
        {"nesting",
         [](std::size_t n) {
             return "[" + joined(n, [](auto) { return std::string(30, '[') + std::string(30, ']'); }) + "]";
         }},
        {"long texts",
         [](std::size_t n) {
             return "[" + joined(8, [n](auto) { return "\"" + std::string(n, 'a') + "\\n\""; }) + "]";
         }},
    };
    constexpr std::size_t n = 4000;
    for (const auto& [what, text] : texts) {
        const Work small = work_of(text(n));
        const Work large = work_of(text(8 * n));
        INFO(what << ": " << small.steps << " and " << large.steps << " steps, " << small.allocations
                  << " and " << large.allocations << " allocations, " << small.peak_bytes << " and "
                  << large.peak_bytes << " bytes");
        // Keys are sorted: n log n, here a factor of 10.
        CHECK(large.steps <= 11 * small.steps);
        CHECK(large.allocations <= 8 * small.allocations + 100);
        // Lengths of text and numbers of values are rounded up, by at most a half.
        CHECK(large.peak_bytes <= 12 * small.peak_bytes + 100000);
    }
}

TEST_CASE("a key that stands twice among many has its last value at its first place", "[json]") {
    constexpr std::size_t n = 20000;
    const std::string keys =
        joined(n, [](auto i) { return "\"k" + std::to_string(i % (n / 2)) + "\":" + std::to_string(i); });
    const Json parsed = json_of_text("{" + keys + "}");
    REQUIRE(parsed.size() == n / 2);
    std::size_t i = 0;
    for (const auto& [key, value] : parsed.items()) {
        if (key != "k" + std::to_string(i) || value != i + n / 2) {
            FAIL(key << " has " << value.dump());
        }
        ++i;
    }
}

TEST_CASE("of members with one key the last one counts", "[json]") {
    CHECK(print_json(json_of_text(R"({"a": 1, "b": 2, "a": 3})")) == "{\"a\": 3, \"b\": 2}\n");
    CHECK(print_json(json_of_text(R"({"a": 1, "a": [2], "a": {"c": 1, "c": 2}, "b": 2})")) ==
          "{\n  \"a\": {\"c\": 2},\n  \"b\": 2\n}\n");
    CHECK(json_of_text(R"({"a": [1], "a": [2], "a": [3]})") == Json({{"a", Json::array({3})}}));
    // More members than are compared in pairs.
    std::string text = "{\"x\": 0";
    std::string expected = "{\"x\": 99";
    for (int i = 0; i < 20; ++i) {
        text += ", \"key " + std::to_string(i) + "\": " + std::to_string(i) +
                ", \"x\": " + std::to_string(80 + i);
        expected += ", \"key " + std::to_string(i) + "\": " + std::to_string(i);
    }
    CHECK(print_json(json_of_text(text + "}")) == expected + "}\n");
}

TEST_CASE("small JSON grows into large JSON", "[json]") {
    constexpr std::size_t bytes = 1U << 17U;
    const std::string text = R"({"a": [1, {"b": "x,]\"y"}, []], "c": {"d": [[2, 3]]}})";
    std::size_t large = 0;
    for (std::uint32_t choice = 0; choice < 10; ++choice) {
        const std::string grown = grown_json(text, bytes, choice);
        INFO(grown.substr(0, 100));
        CHECK(grown.size() <= bytes);
        large += grown.size() > bytes - 100 ? 1 : 0;
        CHECK_NOTHROW(json_of_text(grown));
    }
    CHECK(large >= 9);  // an empty array has nothing to repeat
    CHECK(grown_json("nothing", 100, 3) == "nothing");
    CHECK(grown_json("[[[", 2, 0).size() <= 2);
}

TEST_CASE("the corpus of the JSON target holds at 64 KiB and more, too", "[json]") {
    std::size_t large = 0;
    std::uint32_t choice = 0;
    for (const auto& entry : std::filesystem::directory_iterator(fuzz_root() / "corpus/json")) {
        const FileBytes bytes = load(entry.path());
        choice += 7;
        const std::string grown = grown_json(text_of(bytes), 80000, choice);
        large += grown.size() >= 65536 ? 1 : 0;
        INFO(entry.path().filename() << ", " << choice);
        CHECK_NOTHROW(try_json(view_of(grown)));
    }
    CHECK(large > 10);
}
