// SPDX-License-Identifier: MIT
// OniSplit's XML: the fixtures as in the manifest, numbers, and hostile text.
#include <algorithm>
#include <array>
#include <bit>
#include <random>

#include "base/base.h"
#include "catch.h"
#include "formats/oban/file/file.h"
#include "formats/oban/file/xml_numbers.h"
#include "oban_fixtures.h"
#include "oban_level_invariants.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

std::string float_text(float value) {
    std::string text;
    oban::file::append_float(text, RawFloat(value));
    return text;
}

std::string float_text_of_bits(std::uint32_t bits) { return float_text(std::bit_cast<float>(bits)); }

std::vector<Json> xml_rows() {
    std::vector<Json> rows;
    for (const Json& row : oban_manifest()["files"]) {
        if (row["file"].get<std::string>().ends_with(".xml")) {
            rows.push_back(row);
        }
    }
    return rows;
}

/// The text of a small animation with `from` replaced by `to`.
FileBytes changed_xml(std::string_view from, std::string_view to) {
    const FileBytes bytes = oban_fixture("xml_swing.xml");
    std::string text(bytes.begin(), bytes.end());
    const std::size_t place = text.find(from);
    REQUIRE(place != std::string::npos);
    text.replace(place, from.size(), to);
    return {text.begin(), text.end()};
}

}  // namespace

TEST_CASE("XML is read or refused as the manifest says", "[oban-xml]") {
    std::size_t refused = 0;
    for (const Json& row : xml_rows()) {
        const auto file = row["file"].get<std::string>();
        INFO(file);
        const FileBytes bytes = oban_fixture(file);
        CHECK(oban::file::looks_like_xml(bytes));
        const auto document = oban::file::read_xml(bytes);
        REQUIRE(document.has_value() == (row["read"] == "ok"));
        if (document) {
            CHECK(document->container == oban::file::Container::xml);
            CHECK(document->record.keys.size() == row["records"][0]["keys"].get<std::size_t>());
            continue;
        }
        ++refused;
        const Error& error = document.error();
        CHECK(error.field == row["error_field"].get<std::string>());
        CHECK(
            (row["error_offset"].is_null() || error.byte_offset == row["error_offset"].get<std::int64_t>()));
        // Line and column lead to the same byte.
        const auto place = static_cast<std::size_t>(error.byte_offset);
        REQUIRE(place <= bytes.size());
        const auto behind = bytes.begin() + static_cast<std::ptrdiff_t>(place);
        CHECK(error.line == 1 + std::count(bytes.begin(), behind, '\n'));
        CHECK(error.column >= 1);
    }
    CHECK(refused >= 20);
}

TEST_CASE("XML is written byte for byte as the witness writes it", "[oban-xml]") {
    for (const Json& row : oban_manifest()["xml"]) {
        const auto file = row["file"].get<std::string>();
        INFO(file);
        const auto record = oban::file::read_raw(oban_fixture(file));
        REQUIRE(record);
        CHECK(oban::file::write_xml(*record) == oban_fixture(row["gives"].get<std::string>()));
        CHECK(Json(oban::file::left_out_of_xml(*record)) == row["left_behind"]);
    }
}

TEST_CASE("the XML of newer runtimes comes back to the bit", "[oban-xml]") {
    const FileBytes bytes = oban_fixture("published_camera_new.xml");
    const auto document = oban::file::read_xml(bytes);
    REQUIRE(document);
    CHECK(oban::file::write_xml(document->record) == bytes);
    const auto older = oban::file::read_xml(oban_fixture("published_camera.xml"));
    REQUIRE(older);
    CHECK(older->name == "shpadoinkle");
}

TEST_CASE("floats are written as .NET writes them", "[oban-xml]") {
    CHECK(float_text(0.0F) == "0");
    CHECK(float_text(-0.0F) == "-0");
    CHECK(float_text(1.0F) == "1");
    CHECK(float_text(-1.82F) == "-1.82");
    CHECK(float_text(0.1F) == "0.1");
    CHECK(float_text(0.0001F) == "0.0001");
    CHECK(float_text(0.00012345F) == "0.00012345");
    CHECK(float_text(0.00001F) == "1E-05");
    CHECK(float_text(-9.13e-8F) == "-9.13E-08");
    CHECK(float_text(1e8F) == "100000000");
    CHECK(float_text(123456792.0F) == "123456790");
    CHECK(float_text(1e9F) == "1E+09");
    CHECK(float_text(1.5e10F) == "1.5E+10");
    CHECK(float_text(16777216.0F) == "16777216");
    CHECK(float_text(3.4028235e38F) == "3.4028235E+38");
    CHECK(float_text_of_bits(0x00000001) == "1E-45");
    // A power of two: the float below is nearer than the one above.
    CHECK(float_text_of_bits(0x0f800000) == "1.2621775E-29");
    CHECK(float_text_of_bits(0x7f800000) == "INF");
    CHECK(float_text_of_bits(0xff800000) == "-INF");
    CHECK(float_text_of_bits(0x7fc00000) == "NaN");
    CHECK(float_text_of_bits(0xffa12345) == "NaN");
}

TEST_CASE("what is a float in XML and what is none", "[oban-xml]") {
    const std::vector<std::pair<std::string, float>> numbers = {
        {"1", 1.0F},
        {"+1", 1.0F},
        {"-1.", -1.0F},
        {".5", 0.5F},
        {"1e2", 100.0F},
        {"1E+2", 100.0F},
        {"1e-2", 0.01F},
        {"1e-60", 0.0F},
        {"-1e-60", -0.0F},
        {"0e99999999999", 0.0F},
        {"1e-99999999999999999999", 0.0F},
        {"0000000000000000000000000000000000000000000000000001", 1.0F},
        {"3.4028235677973366e38", 3.4028235e38F}};
    for (const auto& [text, value] : numbers) {
        INFO(text);
        const auto parsed = oban::file::parse_float(text);
        REQUIRE(parsed);
        CHECK(*parsed == RawFloat(value));
    }
    for (const char* const text : {"",
                                   "-",
                                   "+",
                                   ".",
                                   "e5",
                                   "1e",
                                   "1e+",
                                   "1,5",
                                   "0x1",
                                   "1f",
                                   "inf",
                                   "nan",
                                   "Infinity",
                                   "+INF",
                                   "--1",
                                   "+-1",
                                   "1 2",
                                   "1e39",
                                   "-1e39",
                                   "1e99999999999999999999",
                                   "3.4028236e38",
                                   "1.2.3",
                                   "1e1.5"}) {
        INFO(text);
        CHECK_FALSE(oban::file::parse_float(text));
    }
}

TEST_CASE("every float reads back from its text", "[oban-xml]") {
    std::mt19937 random(20'26);
    for (int i = 0; i < 200'000; ++i) {
        RawFloat value;
        value.bits = static_cast<std::uint32_t>(random());
        std::string text;
        oban::file::append_float(text, value);
        const auto parsed = oban::file::parse_float(text);
        if (!parsed || (*parsed != value && text != "NaN")) {
            FAIL(text);
        }
    }
}

TEST_CASE("XML that means harm is refused in time and memory", "[oban-xml]") {
    std::string deep = "<Oni>";
    for (int i = 0; i < 200'000; ++i) {
        deep += "<a>";
    }
    CHECK_FALSE(oban::file::read_xml(view_of(deep)));
    std::string many = "<Oni>";
    for (std::size_t i = 0; i <= oban::file::max_xml_tags; ++i) {
        many += "<a/>";
    }
    const auto tags = oban::file::read_xml(view_of(many));
    REQUIRE_FALSE(tags);
    CHECK(tags.error().reason.find("tags") != std::string::npos);
    const auto large = oban::file::read_xml(Bytes(oban::file::max_xml_bytes + 1, ' '));
    REQUIRE_FALSE(large);
    CHECK(large.error().field == "xml");
}

TEST_CASE("XML that is none is refused", "[oban-xml]") {
    for (const auto& [from, to] :
         std::vector<std::pair<std::string, std::string>>{{"</Oni>", "</Oni><Oni/>"},
                                                          {"</Oni>", "</Oni>text"},
                                                          {"<Flags>", std::string("<Flags>\0", 8)},
                                                          {"<Flags>", "<!-- t\xfcr --><Flags>"},
                                                          {"<Flags>", "<Flags>&flags;"},
                                                          {"<Flags></Flags>", "<Flags>"},
                                                          {"<Flags></Flags>", "<Flags>None None</Flags>"},
                                                          {"<Time>0</Time>", "<Time>0 0</Time>"},
                                                          {"<Time>0</Time>", "<Time>+1</Time>"},
                                                          {"</Oni>", ""}}) {
        INFO(from << " -> " << to);
        const auto document = oban::file::read_xml(changed_xml(from, to));
        REQUIRE_FALSE(document);
        CHECK(document.error().line >= 1);
        CHECK(is_utf8(document.error().message()));
    }
    CHECK_FALSE(oban::file::read_xml({}));
    CHECK_FALSE(oban::file::looks_like_xml({}));
}

TEST_CASE("comments, character data and entities of numbers are read through", "[oban-xml]") {
    const auto plain = oban::file::read_xml(oban_fixture("xml_swing.xml"));
    REQUIRE(plain);
    for (const char* const text : {"<Time><!-- first -->0</Time>", "<Time><![CDATA[0]]></Time>",
                                   "<Time>&#48;</Time>", "<Time>\t\r\n 0 </Time>", "<?pi?><Time>0</Time>"}) {
        INFO(text);
        const auto document = oban::file::read_xml(changed_xml("<Time>0</Time>", text));
        REQUIRE(document);
        CHECK(document->record == plain->record);
    }
}

TEST_CASE("damaged XML breaks nothing", "[oban-xml]") {
    for (const char* const file : {"xml_all_flags.xml", "xml_numbers.xml", "published_camera.xml"}) {
        INFO(file);
        FileBytes bytes = oban_fixture(file);
        CHECK(check_oban_xml_bytes(bytes));
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const FileBytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(i));
            CHECK_NOTHROW(check_oban_xml_bytes(cut));
            const std::uint8_t original = bytes[i];
            for (const int patch :
                 {0x00, 0xff, int{'<'}, int{'>'}, int{'&'}, int{'9'}, int{'E'}, original ^ 1}) {
                bytes[i] = static_cast<std::uint8_t>(patch);
                CHECK_NOTHROW(check_oban_xml_bytes(bytes));
            }
            bytes[i] = original;
        }
    }
}
