// SPDX-License-Identifier: MIT
// Text that is not a BVH: the error gives line and column, what was found and what is allowed.
#include <chrono>

#include "allocations.h"
#include "bvh_texts.h"
#include "catch.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

Error error_of(std::string_view text, Reading reading = Reading::strict) {
    const auto document = read_text(text, reading);
    INFO(text);
    REQUIRE(!document.has_value());
    return document.error();
}

void check_error_at(std::string_view text, std::int64_t line, std::int64_t column, std::string_view reason,
                    Reading reading = Reading::strict) {
    const Error error = error_of(text, reading);
    INFO(text);
    CHECK(error.line == line);
    CHECK(error.column == column);
    CHECK_THAT(error.reason, ContainsSubstring(std::string(reason)));
    CHECK(!error.field.empty());
}

/// Both ways of reading give the same error.
void check_both_at(std::string_view text, std::int64_t line, std::int64_t column, std::string_view reason) {
    check_error_at(text, line, column, reason, Reading::strict);
    check_error_at(text, line, column, reason, Reading::lenient);
}

std::string frames(std::string_view count) {
    return one_channel_bvh("MOTION\nFrames: " + std::string(count) + "\nFrame Time: 1\n1\n2\n");
}

std::string nested(std::size_t depth) {
    std::string text = "HIERARCHY\n";
    for (std::size_t i = 0; i < depth; ++i) {
        text += i == 0 ? "ROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n" : "JOINT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n";
    }
    for (std::size_t i = 0; i < depth; ++i) {
        text += "}\n";
    }
    return text + "MOTION\nFrames: 0\nFrame Time: 1\n";
}

}  // namespace

TEST_CASE("an error tells the place, what was found and what is allowed", "[bvh-errors]") {
    const Error error = error_of(replaced(plain_bvh, "5.5", "5.5.5"));
    CHECK(error.message() == "line 8, column 12: OFFSET: found \"5.5.5\"; allowed is a decimal number");
    CHECK(error.code == ErrorCode::bad_value);
    CHECK(error_of("HIERARCHY\nROOT a\n").code == ErrorCode::truncated);
}

TEST_CASE("lines are counted whatever ends them", "[bvh-errors]") {
    const std::string text = replaced(plain_bvh, "5.5", "x");
    check_both_at(text, 8, 12, "found \"x\"");
    check_both_at(all_replaced(text, "\n", "\r\n"), 8, 12, "found \"x\"");
    check_both_at(all_replaced(text, "\n", "\r"), 8, 12, "found \"x\"");
    check_both_at(all_replaced(text, "\n", "\n\n"), 15, 12, "found \"x\"");
    check_both_at("\xEF\xBB\xBFx", 1, 1, "HIERARCHY");
}

TEST_CASE("hierarchies that are none", "[bvh-errors]") {
    check_both_at("", 1, 1, "the text ends here; allowed is the word HIERARCHY");
    check_both_at("ROOT a", 1, 1, "found \"ROOT\"");
    check_both_at("HIERARCHY\nJOINT a\n", 2, 1, "allowed is ROOT or MOTION");
    check_both_at(replaced(plain_bvh, "\tJOINT chest", "\tROOT chest"), 6, 2, "found \"ROOT\"");
    check_both_at(replaced(plain_bvh, "\t{\n\t\tOFFSET 0 5", "\tOFFSET 0 5"), 7, 2, "allowed is {");
    check_both_at(replaced(plain_bvh, "0 3 0\n", "0 3 0\nJOINT x\n{\n}\n"), 13, 1,
                  "found \"JOINT\"; allowed is OFFSET or }");
    check_both_at(replaced(plain_bvh, "0 3 0\n", "0 3 0\nCHANNELS 1 Xrotation\n"), 13, 1,
                  "end site with channels");
    check_both_at(replaced(plain_bvh, "0 1 2\n", "0 1\n"), 5, 2, "found \"CHANNELS\"");
    check_both_at(replaced(plain_bvh, "CHANNELS 6", "CHANNELS 10"), 5, 11, "0 to 9");
    check_both_at(replaced(plain_bvh, "CHANNELS 6", "CHANNELS -1"), 5, 11, "found \"-1\"");
    check_both_at(replaced(plain_bvh, "CHANNELS 6", "CHANNELS six"), 5, 11, "found \"six\"");
    check_error_at(replaced(plain_bvh, "Zposition", "Wposition"), 5, 33,
                   "found \"Wposition\"; allowed is one of Xposition");
    check_error_at(replaced(plain_bvh, "CHANNELS 6", "CHANNELS 5"), 5, 63, "no more than the 5 channels");
    check_error_at(replaced(plain_bvh, "}\nMOTION", "}\n}\nMOTION"), 16, 1, "found \"}\"");
    check_error_at(replaced(plain_bvh, "}\nMOTION", "MOTION"), 15, 1, "closes the block of \"hip\"");
    check_error_at(replaced(plain_bvh, "OFFSET 0 1 2\n", "OFFSET 0 1 2\nOFFSET 0 1 2\n"), 5, 1,
                   "a second one");
    check_error_at(plain_bvh.substr(0, plain_bvh.find("MOTION")), 16, 1, "allowed is MOTION");
}

TEST_CASE("frames that are none", "[bvh-errors]") {
    for (const char* count : {"-5", "+5", "2.0", "2e0", "two", "0x2", "99999999999999999999999", "2,"}) {
        check_both_at(frames(count), 8, 9, "found \"" + std::string(count) + "\"; allowed is a whole number");
    }
    check_both_at(one_channel_bvh("MOTION\nFrames 2\n"), 8, 8, "allowed is :");
    check_both_at(one_channel_bvh("MOTION\nFrame Time: 1\n"), 8, 1, "allowed is Frames:");
    check_both_at(one_channel_bvh("MOTION\nFrames: 2\n1\n2\n"), 9, 1, "allowed is Frame Time:");
    check_both_at(one_channel_bvh("MOTION\nFrames: 2\nFrame Time: nan\n1\n2\n"), 9, 13, "found \"nan\"");
    check_both_at(one_channel_bvh("MOTION\nFrames: 2\nFrame Time: 1e400\n1\n2\n"), 9, 13, "below 1.8e308");
    check_both_at(one_channel_bvh("MOTION\nFrames: 2\nFrame Time:"), 9, 12, "the text ends here");
}

TEST_CASE("frames that do not fit their number", "[bvh-errors]") {
    check_error_at(frames("3"), 8, 9,
                   "declares 3 frames, found 2 complete frames; allowed is the same number (lenient");
    check_error_at(frames("1"), 8, 9, "declares 1 frame, found 2 complete frames");
    check_error_at(frames("0"), 8, 9, "declares 0 frames, found 2 complete frames");
    check_error_at(frames("250000000"), 8, 9, "declares 250000000 frames, found 2 complete frames");
    check_error_at(frames("18446744073709551615"), 8, 9, "found 2 complete frames");
    check_error_at(replaced(plain_bvh, " 9.5\n", ""), 17, 9, "found 1 complete frame and 8 numbers of 9");
}

TEST_CASE("values that are no numbers", "[bvh-errors]") {
    for (const char* value : {"nan", "-inf", "Infinity", "0x10", "1e400", "--1", "1_000", "1;", "}", "1.2.3",
                              "12-", "\xC3\xA4"}) {
        check_both_at(replaced(plain_bvh, "0.125", value), 20, 12, "found \"" + std::string(value) + "\"");
    }
    check_error_at(replaced(plain_bvh, "0.125", "0,125"), 20, 12,
                   "a number with a decimal comma; allowed is a decimal point (lenient reading takes");
    check_error_at(replaced(plain_bvh, "-1.25", "-1,25"), 8, 16, "decimal comma");
    check_error_at(std::string(plain_bvh) + "# end", 21, 1, "allowed is nothing after the last frame");
    check_both_at(replaced(plain_bvh, "0.125", "1,2,3"), 20, 12, "found \"1,2,3\"");
}

TEST_CASE("UTF-16 and NULs are told as such", "[bvh-errors]") {
    std::string wide = "\xFF\xFE";
    for (const char c : plain_bvh) {
        wide += {c, '\0'};
    }
    check_both_at(wide, 1, 1, "found UTF-16 text; allowed is UTF-8");
    check_both_at("\xFE\xFF" + wide.substr(2), 1, 1, "found UTF-16 text");
    check_error_at(wide.substr(2), 1, 2, "found a NUL byte");
    check_error_at(replaced(plain_bvh, "chest", std::string_view("che\0st", 6)), 6, 11, "found a NUL byte");
    check_error_at(replaced(plain_bvh, "1000",
                            std::string_view("10\0"
                                             "00",
                                             5)),
                   20, 20, "found a NUL byte");
    check_error_at(std::string(plain_bvh) + '\0', 21, 1, "found a NUL byte");
}

TEST_CASE("nesting has a limit, and nothing recurses", "[bvh-errors]") {
    const auto deepest = read_text(nested(bvh::file::max_depth));
    REQUIRE(deepest.has_value());
    CHECK(deepest->joints.size() == bvh::file::max_depth);
    const Error error = error_of(nested(bvh::file::max_depth + 1));
    CHECK(error.line == 2 + 4 * static_cast<std::int64_t>(bvh::file::max_depth));
    CHECK_THAT(error.reason, ContainsSubstring("deeper than the 1000 levels"));
    CHECK(error_of(nested(200000)).line == error.line);
}

TEST_CASE("a small file that claims many frames costs nothing", "[bvh-errors]") {
    const std::string none =
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nMOTION\nFrames: 250000000\nFrame Time: 1\n";
    const std::string one = frames("250000000");
    for (const Reading reading : {Reading::strict, Reading::lenient}) {
        for (const std::string& text : {none, one}) {
            std::size_t peak = 0;
            const auto start = std::chrono::steady_clock::now();
            {
                const Allocations counting;
                (void)read_text(text, reading);
                peak = Allocations::peak_bytes();
            }
            CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
            CHECK(peak < 16384);
        }
        CHECK_THAT(error_of(none, reading).reason,
                   ContainsSubstring("declares 250000000 frames of a hierarchy without channels"));
    }
}

TEST_CASE("reading takes at most ten times the input and two mebibytes", "[bvh-errors]") {
    std::string joints = "HIERARCHY\n";
    std::string sites = "HIERARCHY\nROOT a\n{\n";
    for (int i = 0; i < 300000; ++i) {
        joints += "ROOT\n{\n}\n";
        sites += "End Site\n{\n}\n";
    }
    std::string numbers = one_channel_bvh("MOTION\nFrames: 1000000\nFrame Time: 1\n");
    for (int i = 0; i < 1000000; ++i) {
        numbers += "1 ";
    }
    const std::string padding(30 * 300000, ' ');
    for (const std::string& text :
         {joints, sites, numbers, joints + padding, sites + padding, replaced(numbers, "1000000", "999999"),
          replaced(numbers, "1000000", "1000001"), replaced(numbers, "1000000", "9"),
          all_replaced(numbers, "1 ", "1,1 ")}) {
        for (const Reading reading : {Reading::strict, Reading::lenient}) {
            std::size_t peak = 0;
            {
                const Allocations counting;
                (void)bvh::file::read(view_of(text), reading);
                peak = Allocations::peak_bytes();
            }
            INFO(text.substr(0, 30) << ": " << peak << " bytes for " << text.size());
            CHECK(peak <= 10 * text.size() + (2U << 20U));
        }
    }
}
