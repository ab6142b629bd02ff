// SPDX-License-Identifier: MIT
// Findings of OBAN files: ids, classes and places as the witness has them.
#include <map>

#include "catch.h"
#include "formats/oban/check/check.h"
#include "formats/oban/file/file.h"
#include "oban_fixtures.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// The position in the file of a field in the manifest ("keys[2].position"), if the record begins at `start`.
std::int64_t offset_of(const std::string& place, std::int64_t start) {
    static const std::map<std::string, std::int64_t> fields = {
        {"flags", 0x14},       {"initial_transform", 0x18}, {"base_transform", 0x48},
        {"frame_count", 0x7a}, {"half_stop_frame", 0x7c},   {"key_count", 0x7e}};
    static const std::map<std::string, std::int64_t> of_keys = {
        {"rotation", 0}, {"position", 16}, {"time", 28}};
    if (const auto field = fields.find(place); field != fields.end()) {
        return start + field->second;
    }
    if (place == "checksum") {
        return 0;
    }
    if (place == "raw_offset") {
        return 0x30;
    }
    if (place == "instances[0].name_offset") {
        return 64 + 8;
    }
    const std::int64_t key = std::stoll(place.substr(5));
    return start + 0x80 + 32 * key + of_keys.at(place.substr(place.find('.') + 1));
}

struct Expected {
    std::string id;
    std::string severity;
    std::int64_t offset;

    bool operator==(const Expected&) const = default;
};

std::vector<Expected> expected_findings(const Json& row, const oban::file::Document& document) {
    std::vector<Expected> expected;
    const auto start = static_cast<std::int64_t>(document.before.size());
    for (const Json* list : {&row["records"][0]["findings"], &row["findings"]}) {
        for (const Json& finding : *list) {
            const bool is_text = document.container == oban::file::Container::xml;
            expected.push_back({finding[0].get<std::string>(), finding[1].get<std::string>(),
                                is_text ? -1 : offset_of(finding[2].get<std::string>(), start)});
        }
    }
    return expected;
}

}  // namespace

TEST_CASE("OBAN fixtures have the findings that the witness names", "[oban-check]") {
    std::size_t count = 0;
    for (const Json& row : oban_rows()) {
        if (row["read"] != "ok") {
            continue;
        }
        INFO(row["file"].get<std::string>());
        const auto document = oban::file::read(oban_fixture(row["file"]));
        REQUIRE(document.has_value());
        std::vector<Expected> found;
        for (const Finding& finding : oban::check::check(*document, CheckLevel::strict)) {
            found.push_back({std::string(finding.rule->id), std::string(name_of(finding.rule->finding_class)),
                             finding.byte_offset});
            CHECK_FALSE(finding.found.empty());
        }
        CHECK(found == expected_findings(row, *document));
        count += found.size();
    }
    CHECK(count > 30);
}

TEST_CASE("playback finds no advice", "[oban-check]") {
    for (const Json& row : oban_rows()) {
        if (row["read"] != "ok") {
            continue;
        }
        for (const Finding& finding :
             oban::check::check(*oban::file::read(oban_fixture(row["file"])), CheckLevel::playback)) {
            CHECK(finding.rule->finding_class != FindingClass::advice);
        }
    }
}

TEST_CASE("an OBAN's findings tell what stands there and how often", "[oban-check]") {
    oban::file::Record record = odd_record();
    record.keys = {record.keys[0], record.keys[0], record.keys[0]};
    record.frame_count = 1;
    record.half_stop_frame = 7;
    const auto findings = oban::check::check_record(record, CheckLevel::strict, {1000, "gate"});
    std::map<std::string_view, Finding> by_id;
    for (const Finding& finding : findings) {
        by_id[finding.rule->id] = finding;
        CHECK(finding.joint == "gate");
    }
    const Finding& times = by_id.at("key_times_not_increasing");
    CHECK(summary_of(times) == "2 keys; first: time 0 after 0");
    CHECK(times.key == 1);
    CHECK(times.byte_offset == 1000 + 0x80 + 32 + 28);
    CHECK(by_id.at("half_stop_beyond_end").found == "7; 0 to 0 are allowed");
    CHECK(by_id.at("flags_unknown").found ==
          "2147483713, with bits of 2147483712; the known ones make 0 to 31");
    // Nothing to compare with: the record cannot be played.
    CHECK(by_id.count("initial_transform_differs") == 0);
}

TEST_CASE("levels of the checks of an OBAN have names", "[oban-check]") {
    CHECK(check_level_named("strict") == CheckLevel::strict);
    for (const Rule& rule : oban::check::rules()) {
        CHECK((rule.level == CheckLevel::strict) == (rule.finding_class == FindingClass::advice));
    }
}
