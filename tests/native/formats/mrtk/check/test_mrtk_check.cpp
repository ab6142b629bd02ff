// SPDX-License-Identifier: MIT
// What check finds in MRTK recordings.
#include <set>

#include "catch.h"
#include "formats/mrtk/check/check.h"
#include "formats/mrtk/play/play.h"
#include "mrtk_fixtures.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// Rules that the witness does not have.
const std::set<std::string> of_ours_alone = {"duplicate_key_time",   "marker_length_not_minimal",
                                             "marker_name_not_utf8", "marker_time_not_finite",
                                             "boolean_not_one",      "switch_not_boolean"};

std::set<std::string> ids_of(const mrtk::file::Document& document, CheckLevel level) {
    std::set<std::string> ids;
    for (const Finding& finding : mrtk::check::check(document, level)) {
        ids.emplace(finding.rule->id);
    }
    return ids;
}

}  // namespace

TEST_CASE("check finds in each MRTK fixture what the witness finds", "[mrtk-check]") {
    std::set<std::string> all;
    for (const Json& row : mrtk_rows()) {
        if (row["lenient"] != "ok") {
            continue;
        }
        const auto file = row["file"].get<std::string>();
        INFO(file);
        std::set<std::string> expected;
        for (const Json& id : row["findings"]) {
            expected.insert(id.get<std::string>());
        }
        std::set<std::string> found = ids_of(mrtk_document(file), CheckLevel::strict);
        all.insert(found.begin(), found.end());
        for (const std::string& id : of_ours_alone) {
            found.erase(id);
        }
        CHECK(found == expected);
    }
    CHECK(all.size() >= 22);
}

TEST_CASE("a recording plays unless check says that its motion is undefined", "[mrtk-check]") {
    for (const Json& row : mrtk_rows()) {
        if (row["lenient"] == "ok") {
            INFO(row["file"].get<std::string>());
            const mrtk::file::Document document = mrtk_document(row["file"].get<std::string>());
            const auto ids = ids_of(document, CheckLevel::playback);
            const bool undefined = ids.contains("times_not_finite") || ids.contains("values_not_finite");
            CHECK(mrtk::check::require_playable(document).has_value() == !undefined);
        }
    }
}

TEST_CASE("each finding is one, with the joints it is about, its first place and its bytes", "[mrtk-check]") {
    const auto findings = mrtk::check::check(mrtk_document("lost_w.bin"), CheckLevel::playback);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rule->id == "lost_rotation_w");
    CHECK(findings[0].joint == "Camera");
    CHECK(findings[0].joint_count == 53);
    const auto flips = mrtk::check::check(mrtk_document("flipped_signs.bin"), CheckLevel::playback);
    REQUIRE(flips.size() == 1);
    CHECK(flips[0].rule->id == "sign_flips");
    CHECK(flips[0].count >= flips[0].joint_count);
    CHECK(flips[0].byte_offset > 16);
    CHECK(flips[0].seconds.has_value());
}
