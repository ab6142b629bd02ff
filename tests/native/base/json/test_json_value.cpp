// SPDX-License-Identifier: MIT
// The JSON value: building, looking up, changing, comparing.
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json.h"
#include "catch.h"
#include "json_place.h"

using namespace animbridge;
using namespace animbridge::test;

TEST_CASE("braces make objects of pairs and arrays of anything else", "[json]") {
    CHECK(Json{{"a", 1}, {"b", {2, 3}}}.dump() == R"({"a":1,"b":[2,3]})");
    CHECK(Json{"a", 1}.dump() == R"(["a",1])");
    CHECK(Json{{1, 2}, {"b", 3}}.dump() == R"([[1,2],["b",3]])");
    CHECK(Json::array({Json::array({"a", 1})}).dump() == R"([["a",1]])");
    CHECK(Json(std::vector<std::string>{"x", "y"}).dump() == R"(["x","y"])");
    CHECK(Json(std::map<std::string, int>{{"x", 1}, {"y", 2}}).dump() == R"({"x":1,"y":2})");
    CHECK(Json::object().dump() == "{}");
    CHECK(Json().dump() == "null");
    const std::string nul("a\0b", 3);
    CHECK(Json(nul).get<std::string>() == nul);
}

TEST_CASE("texts of any length come back", "[json]") {
    for (std::size_t length = 0; length < 40; ++length) {
        const std::string text(length, 'x');
        Json value = text;
        const Json copy = value;
        CHECK(copy.get<std::string>() == text);
        CHECK(Json(std::move(value)).get<std::string_view>() == text);
    }
}

TEST_CASE("members are found, added, replaced and taken out in their order", "[json]") {
    Json value;
    for (int i = 0; i < 20; ++i) {
        value["member " + std::to_string(i)] = i;
    }
    value["member 3"] = Json::array({1});
    CHECK(value.size() == 20);
    CHECK(value["member 3"][0] == 1);
    CHECK(value.find("member 4") != value.end());
    CHECK(*value.find("member 4") == 4);
    CHECK(value.find("none") == value.end());
    value.erase("member 0");
    value.erase("none");
    CHECK_FALSE(value.contains("member 0"));
    CHECK(value.items().begin() != value.items().end());
    CHECK((*value.items().begin()).key == "member 1");
    CHECK(value.value("member 19", Json(0)) == 19);
    CHECK(value.value("none", Json("otherwise")) == "otherwise");
    Json other = {{"member 5", "five"}, {"new", 1}};
    value.update(other);
    CHECK(value["member 5"] == "five");
    CHECK(value["new"] == 1);
    CHECK(value.size() == 20);
    const Json& constant = value;
    CHECK_THROWS_AS(constant["none"], std::logic_error);
    CHECK_THROWS_AS(constant[0], std::logic_error);
    CHECK_THROWS_AS(Json(1)["a"], std::logic_error);
    CHECK_THROWS_AS(Json(1).push_back(2), std::logic_error);
    CHECK_THROWS_AS(Json("a").get<int>(), std::logic_error);
    CHECK_THROWS_AS(Json(1).get<std::string>(), std::logic_error);
    CHECK_THROWS_AS(Json(1).get<bool>(), std::logic_error);
}

TEST_CASE("a value may become a part of itself", "[json]") {
    Json value = {{"a", {{"b", "a text that is long enough for a block"}}}};
    value = std::move(value["a"]);
    CHECK(value.dump() == R"({"b":"a text that is long enough for a block"})");
    value = value["b"];
    CHECK(value == "a text that is long enough for a block");
    const Json& same = value;
    value = same;
    CHECK(value == "a text that is long enough for a block");
}

TEST_CASE("numbers are compared by what they are", "[json]") {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    CHECK(Json(1) == Json(1U));
    CHECK(Json(1) == Json(1.0));
    CHECK(Json(-1) != Json(most));
    CHECK(Json(most) == json_of_text("18446744073709551615"));
    CHECK(Json(std::numeric_limits<std::int64_t>::min()).dump() == "-9223372036854775808");
    CHECK(Json(true) != Json(1));
    CHECK(Json("1") != Json(1));
    CHECK(Json(nullptr) == Json());
    CHECK(Json{{"a", 1}, {"b", 2}} != Json{{"b", 2}, {"a", 1}});
}
