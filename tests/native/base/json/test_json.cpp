// SPDX-License-Identifier: MIT
// JSON itself: numbers, bytes, limits, and the readable layout.
#include <cstdlib>
#include <random>
#include <vector>

#include "base/json/json.h"
#include "catch.h"

using namespace animbridge;

namespace {

RawFloat from_bits(std::uint32_t bits) {
    RawFloat made;
    made.bits = bits;
    return made;
}

/// Prints and parses again.
Result<RawFloat> round_trip(RawFloat value) {
    const auto parsed = parse_json(print_json(json_float(value)));
    REQUIRE(parsed.has_value());
    return float_from_json(*parsed, "f");
}

}  // namespace

TEST_CASE("floats come back by their bits", "[json]") {
    std::vector<std::uint32_t> patterns = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff,
                                           0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
                                           0x7fc00000, 0xffc00001, 0x7f800001, 0x3f800000, 0x3f800001,
                                           0x3dcccccd, 0x4b800000, 0x5f000000, 0x15ae43fd, 0x95ae43fe};
    std::mt19937 random(7);
    for (int i = 0; i < 100000; ++i) {
        patterns.push_back(static_cast<std::uint32_t>(random()));
    }
    for (const std::uint32_t bits : patterns) {
        const auto back = round_trip(from_bits(bits));
        if (!back || back->bits != bits) {
            FAIL("bits " << std::hex << bits);
        }
    }
}

TEST_CASE("floats are written as short as they can be read", "[json]") {
    CHECK(print_json(json_float(RawFloat(0.1F))) == "0.1\n");
    CHECK(print_json(json_float(RawFloat(-0.0F))) == "-0.0\n");
    CHECK(print_json(json_float(RawFloat(2.0F))) == "2.0\n");
    CHECK(print_json(json_float(from_bits(0x7fc00000))) == "{\"bits\": \"7fc00000\"}\n");
    CHECK(print_json(json_float(from_bits(0x7f800001))) == "{\"bits\": \"7f800001\"}\n");
    CHECK(print_json(json_float(from_bits(0xff800000))) == "{\"bits\": \"ff800000\"}\n");
}

TEST_CASE("what is no float is an error that names the field", "[json]") {
    for (const char* const text :
         {"null", "true", "\"1\"", "[]", "{}", "1e39", "-1e400", "{\"bits\": \"7fc0000\"}",
          "{\"bits\": \"7fc000000\"}", "{\"bits\": \"7fc0000g\"}", "{\"bits\": \"-7fc0000\"}",
          "{\"bits\": 1}", "{\"bits\": \"7fc00000\", \"x\": 1}"}) {
        INFO(text);
        const auto parsed = parse_json(text);
        if (!parsed) {
            CHECK(parsed.error().code == ErrorCode::bad_value);  // a number beyond the range of doubles
            continue;
        }
        const auto value = float_from_json(*parsed, "the field");
        REQUIRE_FALSE(value.has_value());
        CHECK(value.error().field == "the field");
        CHECK(value.error().code == ErrorCode::bad_value);
    }
}

TEST_CASE("text with any bytes comes back", "[json]") {
    const std::vector<std::string> texts = {
        "",      "plain",        "\xc3\xa4", "\xf0\x9f\x90\x8c", "\"\\\n\t\x01",         "\xff",
        "\xc3",  "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80", std::string("a\0b", 3), "\xe2\x82",
        "ok\x80"};
    for (const std::string& text : texts) {
        const auto parsed = parse_json(print_json(json_text(text)));
        REQUIRE(parsed.has_value());
        const auto back = text_from_json(*parsed, "t");
        REQUIRE(back.has_value());
        CHECK(*back == text);
    }
    for (int byte = 0; byte < 256; ++byte) {
        const std::string text(1, static_cast<char>(byte));
        CHECK(is_utf8(text) == (byte < 0x80));
        CHECK(text_from_json(*parse_json(print_json(json_text(text))), "t").value() == text);
    }
    CHECK_FALSE(is_utf8("\xed\xa0\x80"));      // a surrogate
    CHECK_FALSE(is_utf8("\xc0\x80"));          // overlong
    CHECK_FALSE(is_utf8("\xf4\x90\x80\x80"));  // beyond the last character
    CHECK(is_utf8("\xf4\x8f\xbf\xbf"));
    for (const char* const wrong : {"1", "null", "[]", "{\"hex\": \"0\"}", "{\"hex\": \"0G\"}",
                                    "{\"hex\": \"AA\"}", "{\"hex\": 1}", "{}", "{\"hex\": \"\", \"a\": 1}"}) {
        INFO(wrong);
        CHECK_FALSE(text_from_json(*parse_json(wrong), "t").has_value());
    }
}

TEST_CASE("nesting has a limit, and long flat documents have none", "[json]") {
    const auto nested = [](std::size_t depth, const std::string& open, const std::string& close) {
        std::string text;
        for (std::size_t i = 0; i < depth; ++i) {
            text += open;
        }
        text += "1";
        for (std::size_t i = 0; i < depth; ++i) {
            text += close;
        }
        return text;
    };
    CHECK(parse_json(nested(max_json_depth, "[", "]")).has_value());
    for (const std::size_t depth : {std::size_t{64}, std::size_t{1000000}}) {
        for (const auto& [open, close] : {std::pair("[", "]"), std::pair("{\"a\":", "}")}) {
            const auto parsed = parse_json(nested(depth, open, close));
            REQUIRE_FALSE(parsed.has_value());
            CHECK(parsed.error().code == ErrorCode::bad_value);
        }
    }
    CHECK_FALSE(parse_json(std::string(1000000, '[')).has_value());
    std::string flat = "[0";
    for (int i = 0; i < 100000; ++i) {
        flat += ",1";
    }
    CHECK(parse_json(flat + "]").has_value());
}

TEST_CASE("what is no JSON is told with its place", "[json]") {
    for (const char* const text : {"", " ", "{", "[1,]", "{\"a\":1,}", "nul", "'a'", "[1] 2", "\"\xff\"",
                                   "\"\\ud800\"", "01", "1.", "NaN", "{\"a\" 1}"}) {
        INFO(text);
        const auto parsed = parse_json(text);
        REQUIRE_FALSE(parsed.has_value());
        CHECK(parsed.error().code == ErrorCode::bad_value);
        CHECK(parsed.error().byte_offset >= 0);
    }
    const auto parsed = parse_json("[1, 2, x]");
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().byte_offset >= 7);
    CHECK(parsed.error().byte_offset <= 8);
}

TEST_CASE("integers", "[json]") {
    const auto integer = [](const char* text) { return integer_from_json(*parse_json(text), -3, 200, "i"); };
    CHECK(integer("-3").value() == -3);
    CHECK(integer("200").value() == 200);
    for (const char* const wrong : {"-4", "201", "1.5", "1.0", "\"1\"", "true", "null",
                                    "18446744073709551615", "-9223372036854775808", "1e2"}) {
        INFO(wrong);
        const auto value = integer(wrong);
        REQUIRE_FALSE(value.has_value());
        CHECK(value.error().field == "i");
        CHECK(value.error().reason.find("-3 to 200") != std::string::npos);
    }
}

TEST_CASE("documents are laid out for people", "[json]") {
    const Json value = {{"a", 1},
                        {"keys", Json::array({Json::array({1, 2}), Json::array({3, 4})})},
                        {"empty", Json::array()},
                        {"flat", {{"x", 0.5}}}};
    CHECK(print_json(value) ==
          "{\n  \"a\": 1,\n  \"keys\": [\n    [1, 2],\n    [3, 4]\n  ],\n  \"empty\": [],\n  \"flat\": "
          "{\"x\": 0.5}\n}\n");
}

TEST_CASE("text for people gives a terminal no orders", "[json]") {
    const std::vector<std::pair<std::string, std::string>> rows = {
        {"", ""},
        {"plain \\ text", "plain \\ text"},
        {"\xc3\xa4\xe6\xbc\xa2\xf0\x9f\x90\x8c", "\xc3\xa4\xe6\xbc\xa2\xf0\x9f\x90\x8c"},
        {std::string("a\0b", 3), "a\\x00b"},
        {"\x1b[2J\r\n\t", "\\x1B[2J\\x0D\\x0A\\x09"},
        {"\x1f \x7e\x7f", "\\x1F ~\\x7F"},
        {"\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "\\u0080\\u009B\\u009F\xc2\xa0"},
        {"\xd8\x9b\xd8\x9c", "\xd8\x9b\\u061C"},
        {"\xe2\x80\x8d\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x90", "\xe2\x80\x8d\\u200E\\u200F\xe2\x80\x90"},
        {"\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xae\xe2\x80\xaf", "\xe2\x80\xa7\\u2028\\u202E\xe2\x80\xaf"},
        {"\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa", "\xe2\x81\xa5\\u2066\\u2069\xe2\x81\xaa"},
        {"\xff\x9b\xc2", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    };
    for (const auto& [text, shown] : rows) {
        INFO(shown);
        CHECK(without_controls(text) == shown);
        CHECK(without_controls(shown) == shown);
    }
}
