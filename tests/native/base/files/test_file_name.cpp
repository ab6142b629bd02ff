// SPDX-License-Identifier: MIT
// File names from text in files.
#include <array>
#include <string>

#include "base/base.h"
#include "base/files/files.h"
#include "catch.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// Every pair of bytes, and every byte inside a word: none may become a control character or a path.
void check_one_name(const std::string& words) {
    const std::string stem = file_stem(words, ".anim");
    INFO("found \"" << stem << "\"");
    CHECK(is_utf8(stem));
    CHECK(stem.find_first_of(std::string_view("\0/\\:*?\"<>|", 10)) == std::string::npos);
    CHECK_FALSE(stem.empty());
    CHECK(stem.front() != '.');
    CHECK(stem.back() != '.');
    CHECK(stem.back() != ' ');
    for (const char c : stem) {
        CHECK(static_cast<unsigned char>(c) >= 0x20);
        CHECK(c != 0x7F);
    }
    CHECK(file_stem(stem, ".anim") == stem);
}

}  // namespace

TEST_CASE("names that are fine stay", "[file-name]") {
    for (const std::string name : {"walk",
                                   "Door_A",
                                   "OBAN..%2Fa",
                                   "swing.v2",
                                   "a b",
                                   "-x",
                                   "_",
                                   "console",
                                   "com",
                                   "com12",
                                   "lpt",
                                   "null",
                                   "\u00E9t\u00E9 \u6B69\u304F",
                                   "\U0001F483",
                                   "x\u00A0",
                                   "#12",
                                   "(1)",
                                   "~a",
                                   "aux_in",
                                   "CON1"}) {
        CHECK(file_stem(name, ".anim") == name);
    }
}

TEST_CASE("bad names become good ones", "[file-name]") {
    const auto stem = [](std::string_view words) { return file_stem(words, ".oni"); };
    CHECK(stem("") == "animation");
    CHECK(stem(".") == "animation");
    CHECK(stem("..") == "animation");
    CHECK(stem(" . ..") == "animation");
    CHECK(stem("../../etc/passwd") == "_.._etc_passwd");
    CHECK(stem("/etc/passwd") == "_etc_passwd");
    CHECK(stem("a\\b:c<d>e\"f|g?h*i") == "a_b_c_d_e_f_g_h_i");
    CHECK(stem(".hidden. ") == "hidden");
    CHECK(stem("line\nfeed\x1B[31m\x7F") == "line_feed_[31m_");
    CHECK(stem(std::string_view("nul\0byte", 8)) == "nul_byte");
    CHECK(stem("c1 \u009B bidi \u202E\u2066 end") == "c1 _ bidi __ end");
    CHECK(stem("odd \xFF\xC3") == "odd __");
    CHECK(stem("\xED\xA0\x80") == "___");
    for (const std::string_view device : {"CON", "con", "Nul.txt", "aux .x", "COM1", "lpt9.a.b", "com0",
                                          "COM\u00B9", "CONIN$", "conout$", "prn"}) {
        CHECK(stem(device) == "_" + std::string(device));
    }
}

TEST_CASE("no byte of a name is a path or an order", "[file-name]") {
    for (int a = 0; a < 256; ++a) {
        const char first = static_cast<char>(a);
        check_one_name("x" + std::string(1, first) + "y");
        for (const int b : {0x00, 0x0A, 0x1B, 0x20, 0x2E, 0x2F, 0x5C, 0x7F, 0x80, 0x9B, 0xA9, 0xBF, 0xFF}) {
            check_one_name({first, static_cast<char>(b)});
        }
    }
}

TEST_CASE("a long name is cut between characters and can be written", "[file-name]") {
    const ScratchFolder scratch;
    const std::array<std::string, 5> long_words = {std::string(255, 'x'), std::string(300, 'x') + ".y",
                                                   std::string(240, 'x') + std::string(99, '.'),
                                                   "con" + std::string(300, ' ') + "x", [] {
                                                       std::string words = "y";
                                                       for (int i = 0; i < 200; ++i) {
                                                           words += "\u6B69";
                                                       }
                                                       return words;
                                                   }()};
    for (const std::string& words : long_words) {
        for (const std::string ending : {".anim", ".oni", "_12.blend"}) {
            const std::string name = file_stem(words, ending) + ending;
            INFO(name);
            CHECK(is_utf8(name));
            CHECK(name.size() <= longest_file_name - neighbour_bytes);
            CHECK(write_file((scratch.path() / name).string(), FileBytes{'x'}));
        }
    }
    // Exactly the longest allowed length.
    CHECK(file_stem(long_words[0], ".oni").size() == 244);
    CHECK(file_stem(std::string(244, 'x'), ".oni") == std::string(244, 'x'));
}
