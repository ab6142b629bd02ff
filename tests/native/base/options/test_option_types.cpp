// SPDX-License-Identifier: MIT
// What each type of option takes and refuses, and how a table is read.
#include <array>
#include <string>
#include <vector>

#include "base/options/options.h"
#include "catch.h"

using namespace animbridge;

namespace {

Json json_in(const std::string& text) { return parse_json(text).value(); }

void takes(const Option& option, const std::vector<const char*>& good, const std::vector<const char*>& bad) {
    for (const char* text : good) {
        INFO(text);
        CHECK(check_option(option, json_in(text), "here").has_value());
    }
    for (const char* text : bad) {
        INFO(text);
        const auto refused = check_option(option, json_in(text), "here");
        REQUIRE(!refused);
        CHECK(refused.error().code == ErrorCode::bad_value);
        CHECK(refused.error().is_in_request);
        CHECK(refused.error().field.substr(0, 4) == "here");
    }
}

}  // namespace

TEST_CASE("numbers keep within their limits", "[options]") {
    takes({.name = "n", .type = OptionType::integer, .low = -1, .high = 6, .help = ""}, {"-1", "6", "0"},
          {"-2", "7", "1.0", "\"1\"", "null", "true", "18446744073709551615", "[1]"});
    takes({.name = "n", .type = OptionType::number, .low = 0.5, .high = 2, .help = ""}, {"0.5", "1", "2.0"},
          {"0.4", "2.1", "\"1\"", "null", "{}"});
    takes({.name = "n", .type = OptionType::number, .high = 2, .above_low = true, .help = ""},
          {"1e-300", "2"}, {"0", "-1", "2.1"});
    takes({.name = "n", .type = OptionType::number, .low = -no_limit, .high = no_limit, .help = ""},
          {"-1e300", "0", "1e300"}, {"null", "\"0\""});
    takes({.name = "n", .type = OptionType::seconds, .help = ""}, {"0.5", "-3", "{\"bits\": \"3f800000\"}"},
          {"1e39", "{\"bits\": \"7f800000\"}", "{\"bits\": \"7fc00000\"}", "\"1\"", "null"});
    takes({.name = "n", .type = OptionType::any_seconds, .help = ""},
          {"0.5", "-3", "{\"bits\": \"3f800000\"}", "{\"bits\": \"7fc00000\"}"},
          {"1e39", "{\"bits\": \"7f8\"}", "\"1\"", "null"});
    takes({.name = "n", .type = OptionType::bits, .high = 7, .choices = {"a", "b"}, .help = ""},
          {"0", "7", "[]", "[\"a\"]", "[\"b\", \"a\"]"},
          {"8", "-1", "1.5", "\"a\"", "[\"c\"]", "[0]", "null"});
    takes({.name = "n", .type = OptionType::seconds_or_share, .high = 60, .help = ""}, {"0", "60", "\"20%\""},
          {"-1", "61", "\"101%\"", "\"20\"", "null"});
}

TEST_CASE("words and texts", "[options]") {
    takes({.name = "n", .type = OptionType::flag, .help = ""}, {"true", "false"}, {"0", "\"true\"", "null"});
    takes({.name = "n", .type = OptionType::choice, .choices = {"a", "b", "c"}, .help = ""},
          {"\"a\"", "\"c\""}, {"\"\"", "\"d\"", "0", "null"});
    takes({.name = "n", .type = OptionType::text, .help = ""},
          {"\"\"", "\"a\"", "\"a\\u0000b\"", "{\"hex\": \"ff00\"}"}, {"1", "null", "{\"hex\": \"f\"}", "{}"});
    takes({.name = "n", .type = OptionType::text_without_nul, .help = ""}, {"\"a\"", "{\"hex\": \"ff\"}"},
          {"\"a\\u0000b\"", "{\"hex\": \"ff00\"}", "1"});
    takes({.name = "n", .type = OptionType::texts, .help = ""}, {"[]", "[\"a\", {\"hex\": \"ff\"}]"},
          {"[1]", "\"a\"", "{}", "null"});
    takes({.name = "n", .type = OptionType::file_text, .help = ""}, {"\"\"", "\"a\""}, {"1", "{}", "null"});
}

TEST_CASE("arrays and objects", "[options]") {
    takes({.name = "n", .type = OptionType::texts_by_name, .help = ""}, {"{}", R"({"a": "b"})"},
          {R"({"a": 1})", "[]", "null"});
    takes({.name = "n", .type = OptionType::integers_by_name, .low = -1, .high = 6, .help = ""},
          {"{}", R"({"a": -1, "b": 6})"}, {R"({"a": 7})", R"({"a": 1.5})", "[]"});
    takes({.name = "n", .type = OptionType::vectors_by_name, .low = -2, .high = 2, .help = ""},
          {"{}", R"({"a": [1, -2, 0.5], "b": [0, 0, 0]})"},
          {R"({"a": [1, 2]})", R"({"a": [0, 0, 3]})", R"({"a": [0, 0, "1"]})", R"({"a": 1})", "[]", "null"});
    takes({.name = "n", .type = OptionType::points, .may_be_null = true, .help = ""},
          {"[]", "[[1, 2, 3]]", "[[1e30, -1e30, 0]]", "null"},
          {"[1, 2, 3]", "[[1, 2]]", "[[1, 2, \"3\"]]", "[[2e30, 0, 0]]", "3"});
    takes({.name = "n", .type = OptionType::matrix, .help = ""}, {"[1,2,3,0, 4,5,6,0, 7,8,9,0, 10,11,12,1]"},
          {"[1,2,3,0, 4,5,6,0, 7,8,9,0, 10,11,12,0]", "[1,2,3,1, 4,5,6,0, 7,8,9,0, 10,11,12,1]", "[1]",
           "[1,2,3,0, 4,5,6,0, 7,8,9,0, 2e30,11,12,1]", "null"});
}

TEST_CASE("an object's members are named with their place", "[options]") {
    static constexpr std::array<Option, 1> members = {
        {{.name = "inner", .type = OptionType::flag, .must_be_given = true, .help = ""}}};
    const std::array<Option, 1> options = {{{.name = "outer",
                                             .type = OptionType::object,
                                             .members = members.data(),
                                             .member_count = members.size(),
                                             .help = ""}}};
    const auto field_of = [&](const char* text) {
        const auto refused = check_options(json_in(text), options, "");
        return refused ? "" : refused.error().field;
    };
    CHECK(field_of("{}").empty());
    CHECK(field_of(R"({"outer": {"inner": true}})").empty());
    CHECK(field_of(R"({"outer": 1})") == "outer");
    CHECK(field_of(R"({"outer": {"inner": 1}})") == "outer.inner");
    CHECK(field_of(R"({"outer": {}})") == "outer.inner");
    CHECK(field_of(R"({"outer": {"inner": true, "more": 1}})") == "outer.more");
    CHECK(field_of(R"({"other": 1})") == "other");
    CHECK(field_of("[]") == "options");
}

TEST_CASE("what is not given has its default, and null is not given", "[options]") {
    struct Target {
        std::int64_t count = -1;
        std::string word{};
    };
    constexpr std::array<OptionRow<Target>, 2> rows = {{
        {{.name = "count", .type = OptionType::integer, .high = 9, .standard = "4", .help = ""},
         [](Target& target, const Json& value) { target.count = value.get<std::int64_t>(); }},
        {{.name = "word", .type = OptionType::text, .may_be_null = true, .help = ""},
         [](Target& target, const Json& value) { target.word = value.get<std::string>(); }},
    }};
    Target given;
    REQUIRE(read_options(json_in(R"({"count": 7, "word": "a"})"), rows, given).has_value());
    CHECK(given.count == 7);
    CHECK(given.word == "a");
    Target absent;
    REQUIRE(read_options(json_in(R"({"word": null})"), rows, absent).has_value());
    CHECK(absent.count == 4);
    CHECK(absent.word.empty());
    Target untouched;
    CHECK_FALSE(read_options(json_in(R"({"word": "a", "count": 10})"), rows, untouched).has_value());
    CHECK(untouched.word.empty());
}

TEST_CASE("what is allowed is said in words", "[options]") {
    const auto words = [](const Option& option) { return allowed_values(option); };
    CHECK(words({.name = "n", .type = OptionType::integer, .low = 1, .high = 1'048'574, .help = ""}) ==
          "a whole number from 1 to 1048574");
    CHECK(words({.name = "n", .type = OptionType::number, .low = 0.01, .high = 100'000, .help = ""}) ==
          "a number from 0.01 to 100000");
    CHECK(words({.name = "n", .type = OptionType::number, .high = 1e30, .above_low = true, .help = ""}) ==
          "a number above 0 and at most 1e30");
    CHECK(words({.name = "n", .type = OptionType::number, .low = -no_limit, .high = no_limit, .help = ""}) ==
          "a number");
    CHECK(words({.name = "n",
                 .type = OptionType::choice,
                 .choices = {"a", "b", "c"},
                 .may_be_null = true,
                 .help = ""}) == "\"a\", \"b\" or \"c\", or null");
}
