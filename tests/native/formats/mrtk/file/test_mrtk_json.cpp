// SPDX-License-Identifier: MIT
// MRTK recordings as JSON, and what info reports.
#include "catch.h"
#include "formats/mrtk/check/check.h"
#include "formats/mrtk/file/file.h"
#include "mrtk_fixtures.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

void must_be_refused(const char* place, const Json& wrong, const std::string& field) {
    Json json = mrtk::file::to_json(mrtk_document("markers.bin"));
    place_in(json, place) = wrong;
    INFO("at " << place << ": " << wrong.dump());
    const auto document = mrtk::file::from_json(json);
    REQUIRE_FALSE(document.has_value());
    CHECK(document.error().code == ErrorCode::bad_value);
    CHECK(document.error().field == field);
}

}  // namespace

TEST_CASE("every MRTK fixture comes back from its JSON, bit for bit", "[mrtk-json]") {
    for (const Json& row : mrtk_rows()) {
        if (row["lenient"] == "ok") {
            INFO(row["file"].get<std::string>());
            const mrtk::file::Document document = mrtk_document(row["file"].get<std::string>());
            const auto back =
                parse_json(print_json(mrtk::file::to_json(document))).and_then(mrtk::file::from_json);
            INFO((back ? "" : back.error().message()));
            REQUIRE(back.has_value());
            CHECK(*back == document);
        }
    }
}

TEST_CASE("the JSON of a recording that no file can be is refused", "[mrtk-json]") {
    must_be_refused("/format", "bvh", "format");
    must_be_refused("/version", "1.2", "version");
    must_be_refused("/layout", "other", "layout");
    must_be_refused("/layout", "no_markers", "markers");
    must_be_refused("/sections/gaze", 256, "sections.gaze");
    must_be_refused("/curves/0/name", "left.tracked", "curves[0].name");
    must_be_refused("/curves/0/keys/0", 1, "curves[0].keys[0]");
    must_be_refused("/curves/0/pre_wrap", 1.5, "curves[0].pre_wrap");
    must_be_refused("/curves", Json::array(), "curves");
    must_be_refused("/markers/0/length_bytes", 0, "markers[0].length_bytes");
    must_be_refused("/markers/0/length_bytes", 6, "markers[0].length_bytes");
    must_be_refused("/trailing_hex", "0", "trailing_hex");
}

TEST_CASE("info counts what a recording has", "[mrtk-json]") {
    for (const Json& row : mrtk_rows()) {
        if (row["lenient"] != "ok") {
            continue;
        }
        INFO(row["file"].get<std::string>());
        const Json info = mrtk::check::info(mrtk_document(row["file"].get<std::string>()));
        CHECK(info["version"] == row["version"]);
        if (row.contains("duration")) {
            CHECK(info["duration_seconds"] == row["duration"]);
        }
    }
}
