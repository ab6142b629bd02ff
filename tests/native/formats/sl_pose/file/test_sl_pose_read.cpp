// SPDX-License-Identifier: MIT
// Viewer poses as documents: LLSD, its text, its JSON, and what is refused.
#include "catch.h"
#include "formats/sl_pose/pose/pose.h"
#include "sl_pose_fixtures.h"
#include "sl_pose_invariants.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

namespace pose_file = sl_pose::file;

std::string in_llsd(const std::string& inside) { return "<llsd>" + inside + "</llsd>\n"; }

pose_file::Value value_in(const std::string& inside) {
    return pose_file::read(view_of(in_llsd(inside))).value().documents.front();
}

double real_in(const std::string& text) {
    const auto value = value_in("<real>" + text + "</real>");
    return pose_file::real_of(&value);
}

std::string repeated(const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) {
        all += text;
    }
    return all;
}

Error refusal_of(const std::string& text) {
    const auto read = pose_file::read(view_of(text));
    REQUIRE_FALSE(read.has_value());
    return read.error();
}

}  // namespace

TEST_CASE("every pose of the witness is told apart by its content, or refused", "[sl-pose-read]") {
    std::size_t read = 0;
    for (const Json& row : pose_rows()) {
        const auto file = row["file"].get<std::string>();
        INFO(file);
        const auto document = pose_file::read(pose_fixture(file));
        const auto pose = document ? sl_pose::pose::pose_of(*document)
                                   : Result<sl_pose::pose::Pose>(tl::unexpected<Error>(document.error()));
        REQUIRE(pose.has_value() == !row["program"].is_null());
        if (!pose) {
            continue;
        }
        ++read;
        const bool is_firestorm = pose->program == sl_pose::pose::Program::firestorm;
        CHECK((is_firestorm ? "firestorm" : "black_dragon") == row["program"].get<std::string>());
        CHECK(pose->version == row["version"].get<int>());
        CHECK(pose->from_t_pose == row["from_t_pose"].get<bool>());
        CHECK_NOTHROW(check_pose_bytes(pose_fixture(file), Effort::full));
    }
    CHECK(read > 30);
}

TEST_CASE("numbers are read as the viewers read them", "[sl-pose-read]") {
    CHECK(real_in("0.5") == 0.5);
    CHECK(real_in(" \t0.5") == 0.5);
    CHECK(real_in("-.5e1") == -5.0);
    CHECK(real_in("1e999") == std::numeric_limits<double>::max());
    CHECK(real_in("-1e999") == -std::numeric_limits<double>::max());
    CHECK(real_in("1e-999") == 0.0);
    for (const char* const text : {"0.5 ", "nan", "inf", "1,5", "0x10", "1.5f", "", "--1", "+-1", "1e"}) {
        INFO(text);
        CHECK(real_in(text) == 0.0);
    }
    const auto integer_in = [](const std::string& text) {
        const auto value = value_in("<integer>" + text + "</integer>");
        return pose_file::integer_of(&value);
    };
    CHECK(integer_in("8.9") == 8);
    CHECK(integer_in(" -8abc") == -8);
    CHECK(integer_in(".9") == 0);
    CHECK(integer_in("x") == 0);
    CHECK(integer_in("4294967304") == 8);
    const auto boolean_in = [](const std::string& inside) {
        const auto value = value_in(inside);
        return pose_file::boolean_of(&value);
    };
    CHECK(boolean_in("<boolean>true</boolean>"));
    CHECK(boolean_in("<string>false</string>"));
    CHECK(boolean_in("<real>0.1</real>"));
    CHECK(boolean_in("<array><undef /></array>"));
    for (const char* const text :
         {"<boolean> 1</boolean>", "<boolean>True</boolean>", "<boolean>1.0</boolean>", "<boolean />",
          "<string />", "<map />", "<other>1</other>"}) {
        INFO(text);
        CHECK_FALSE(boolean_in(text));
    }
}

TEST_CASE("a real is written as the viewers write it", "[sl-pose-read]") {
    // The texts are those of the specification.
    CHECK(pose_file::real(0.1F).text == "0.1000000014901161193847656");
    CHECK(pose_file::real(-0.0F).text == "-0");
    CHECK(pose_file::real(1.746229966e-10F).text == "1.746229966181900294941443e-10");
}

TEST_CASE("a map keeps the last of equal keys, and skips what has no partner", "[sl-pose-read]") {
    const auto map = value_in(
        "<map><key>a</key><real>1</real><real>9</real><key>lost</key><key>a</key><real>2</real>"
        "<key /><real>3</real><key>end</key></map>");
    CHECK(map.keys == std::vector<std::string>{"a", "a"});
    CHECK(pose_file::real_of(map.find("a")) == 2.0);
    CHECK(map.find("lost") == nullptr);
}

TEST_CASE("layouts of the viewers need no text in JSON, and others keep it", "[sl-pose-read]") {
    for (const auto& [file, layout] : {std::pair("fs8.xml", pose_file::Layout::pretty),
                                       {"bd1.xml", pose_file::Layout::lines},
                                       {"crlf.xml", pose_file::Layout::text},
                                       {"comment.xml", pose_file::Layout::text},
                                       {"numbers.xml", pose_file::Layout::text},
                                       {"two.xml", pose_file::Layout::pretty}}) {
        INFO(file);
        CHECK(pose_document(file).layout == layout);
        CHECK(pose_file::to_json(pose_document(file))["text"].is_null() ==
              (layout != pose_file::Layout::text));
    }
}

TEST_CASE("a JSON document that no file can be is refused", "[sl-pose-read]") {
    const auto from = [](const char* documents, const char* layout = "pretty") {
        return pose_file::from_json(
            parse_json(std::string(R"({"format": "sl_pose", "text": null, "layout": ")") + layout +
                       R"(", "documents": )" + documents + "}")
                .value());
    };
    CHECK(from(R"([{"version": {"value": {"integer": 8}}}])").has_value());
    CHECK(from(R"(["a"])").has_value());
    for (const char* const wrong :
         {"[]", "null", "[null]", R"([{"": 1}])", R"(["\u0001"])", R"([{"a": "b\r"}])",
          R"([{"integer": 2.5}])", R"([{"integer": 4294967296}])"}) {
        INFO(wrong);
        CHECK_FALSE(from(wrong).has_value());
    }
    CHECK_FALSE(from("[1]", "other").has_value());
}

TEST_CASE("hostile XML is refused by its place", "[sl-pose-read]") {
    CHECK(refusal_of("<!DOCTYPE llsd SYSTEM \"file:///etc/passwd\">\n<llsd />").field == "DOCTYPE");
    CHECK(refusal_of(in_llsd("<string>&laugh;</string>")).byte_offset == 14);
    CHECK(refusal_of(in_llsd(repeated("<array>", 65) + repeated("</array>", 65))).reason.find("64 levels") !=
          std::string::npos);
    CHECK_FALSE(pose_file::read(view_of(in_llsd(repeated("<map><key>a</key>", 100'000)))).has_value());
    CHECK(refusal_of(in_llsd(repeated("<a/>", pose_file::most_tags))).reason.find("tags") !=
          std::string::npos);
    CHECK(
        refusal_of(in_llsd("<map>" + repeated("<key>a</key><map/>", pose_file::most_entries + 1) + "</map>"))
            .reason.find("entries") != std::string::npos);
    CHECK(refusal_of(in_llsd("<real>" + repeated("0", 401) + "</real>")).field == "real");
    CHECK(refusal_of(std::string(pose_file::most_bytes + 1, ' ')).reason.find("bytes") != std::string::npos);
    CHECK(refusal_of("").reason == "found no element; allowed is <llsd>");
    CHECK(refusal_of("\n\n\r\n").field == "xml");
    CHECK(refusal_of("<html><llsd/></html>").reason.find("html") != std::string::npos);
}

TEST_CASE("LLSD is recognised after a mark, a declaration and comments", "[sl-pose-read]") {
    for (const char* const text : {"<llsd>", "<llsd />", "\xef\xbb\xbf\n<llsd\n>",
                                   "<?xml version='1.0'?>\n<llsd>", "<!-- <a> --><llsd>"}) {
        INFO(text);
        CHECK(pose_file::sniff(view_of(text)));
    }
    for (const char* const text : {"", "<llsd", "<llsdx>", "<Oni><llsd>", "<!-- <llsd>", "llsd>"}) {
        INFO(text);
        CHECK_FALSE(pose_file::sniff(view_of(text)));
    }
}
