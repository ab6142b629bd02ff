// SPDX-License-Identifier: MIT
// Findings: the places that break a rule become one, which keeps the first one's time.
#include <array>
#include <limits>

#include "catch.h"
#include "model/findings/findings.h"

using namespace animbridge;

namespace {

constexpr std::array<Rule, 2> two_rules = {{
    {"key_wrong", FindingClass::altered, CheckLevel::playback, "It is changed.", "Correct it."},
    {"file_wrong", FindingClass::advice, CheckLevel::playback, "It is odd.", "Look at it."},
}};

Json rows_of(FindingList& list) { return findings_json(list.take())["findings"]; }

}  // namespace

TEST_CASE("a finding has the time of its first key, and null without one", "[findings]") {
    FindingList list(two_rules, CheckLevel::strict);
    list.add("key_wrong", "7", "mHead", 3, -1, -1, 0.25);
    list.add("key_wrong", "8", "mTorso", 4, -1, -1, 0.5);
    list.add("file_wrong", "9");
    const Json rows = rows_of(list);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["seconds"] == 0.25);
    CHECK(rows[0]["key"] == 3);
    CHECK(rows[0]["count"] == 2);
    CHECK(rows[1]["seconds"].is_null());
}

TEST_CASE("a time that is no number is null in JSON, which has no other", "[findings]") {
    FindingList list(two_rules, CheckLevel::strict);
    list.add("key_wrong", "7", "mHead", 3, -1, -1, std::numeric_limits<double>::quiet_NaN());
    CHECK(rows_of(list)[0]["seconds"].is_null());
}

TEST_CASE("a refusal says who refuses what, what was found, and what to do", "[findings]") {
    constexpr std::array<Rule, 4> rules = {{
        {"a", FindingClass::rejected, CheckLevel::playback, "It takes 60 s.", "Shorten it."},
        {"b", FindingClass::rejected, CheckLevel::playback, "It knows no such joint.", "Rename it."},
        {"c", FindingClass::advice, CheckLevel::playback, "It is odd.", "Look at it."},
        {"d", FindingClass::rejected, CheckLevel::playback, "It takes numbers.", "Correct it."},
    }};
    FindingList list(rules, CheckLevel::strict);
    list.add("c", "odd");
    CHECK(require_accepted("Oni", list.take()).has_value());
    list = FindingList(rules, CheckLevel::strict);
    list.add("a", "75 s");
    list.add("c", "odd");
    list.add("d", "nan", "mHead");
    const auto refused = require_accepted("Second Life", list.take());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::rejected);
    CHECK(refused.error().reason ==
          "refused by Second Life: It takes 60 s (found: 75 s). Shorten it. It takes numbers (found: mHead: "
          "nan). Correct it.");
    CHECK(refused_by("") == "refused by the target program: ");
    // What names the joint says it once.
    list = FindingList(rules, CheckLevel::strict);
    list.add("b", "\"tail\"", "tail");
    CHECK(refusal("Oni", list.take()).reason ==
          "refused by Oni: It knows no such joint (found: \"tail\"). Rename it.");
}
