// SPDX-License-Identifier: MIT
// Rig files: what is read, and what is refused with the member's name (docs/rig-maps.md).
#include <set>

#include "catch.h"
#include "rig/humanoid/humanoid.h"

using namespace animbridge;
using namespace animbridge::rig::humanoid;

namespace {

std::string with(const std::string& members) {
    return R"({"animbridge_rig": 1, "slots": {"hips": ["Hips"]})" + members + "}";
}

void expect_refused(const std::string& json, const std::string& field, const std::string& said) {
    INFO(json);
    const auto read = read_rig_file(json);
    REQUIRE(!read);
    CHECK(read.error().code == ErrorCode::bad_value);
    CHECK(read.error().field == field);
    CHECK_THAT(read.error().reason, ContainsSubstring(said));
}

}  // namespace

TEST_CASE("every built-in rig has slots of a body and says where its names come from", "[rig-file]") {
    std::set<std::string> ids;
    for (const RigFile& rig : built_in_rigs()) {
        INFO(rig.id);
        CHECK(ids.insert(rig.id).second);
        CHECK(!rig.title.empty());
        CHECK(!rig.source.empty());
        CHECK(!rig.licence.empty());
        CHECK(rig.is_humanoid());
        CHECK(rig.slots.size() >= 16);
        CHECK(!rig.roles.empty());
    }
    CHECK(ids.size() == 61);
    for (const char* id : {"secondlife", "avastar", "openxr_hand", "mrtk_hand", "unity_xr_hand", "mixamo"}) {
        CHECK(ids.count(id) == 1);
    }
}

TEST_CASE("a whole rig file", "[rig-file]") {
    const auto rig = read_rig_file(R"({
        "animbridge_rig": 1, "id": "fox", "title": "My fox", "source": "me", "licence": "CC0", "note": "n",
        "rank": 3, "use": "target", "loose": true, "built_in": true, "prefixes": ["fox_"],
        "slots": {"hips": ["Root", "Pelvis"], "brush": ["Tail"]},
        "parents": {"Root": ["World"]}, "chains": {"tail": ["Tail", "Tail.001"]},
        "roles": {"twist": ["*roll"], "attachment": ["hat"]},
        "reference": {"Root": [0.6, 0, 0.8, 0]}})");
    REQUIRE(rig);
    CHECK(rig->id == "fox");
    CHECK(rig->rank == 3);
    CHECK(rig->use == RigUse::target);
    CHECK(rig->loose);
    CHECK(rig->built_in);
    CHECK(!rig->is_humanoid());
    REQUIRE(rig->slots.size() == 2);
    CHECK(rig->slots[0].names == std::vector<std::string>{"Root", "Pelvis"});
    CHECK(rig->chains[0].names.size() == 2);
    CHECK(rig->parents[0].of == "Root");
    CHECK(rig->roles.size() == 2);
    CHECK(rig->reference[0].second.y == Approx(0.8));
}

TEST_CASE("a wrong rig file is refused at its member", "[rig-file]") {
    CHECK(!read_rig_file("nothing"));
    expect_refused("[]", "animbridge_rig", "");
    expect_refused(R"({"slots": {}})", "animbridge_rig", "");
    expect_refused(R"({"animbridge_rig": 1})", "slots", "");
    expect_refused(R"({"animbridge_rig": 1, "slots": []})", "slots", "an object");
    expect_refused(R"({"animbridge_rig": 1, "slots": {"hips": "Hips"}})", "slots.hips", "an array");
    expect_refused(R"({"animbridge_rig": 1, "slots": {"hips": [""]}})", "slots.hips", "not empty");
    expect_refused(R"({"animbridge_rig": 1, "slots": {"hips": []}})", "slots.hips", "at least one");
    expect_refused(with(R"(, "slot": {})"), "slot", "not a member");
    expect_refused(with(R"(, "use": "both")"), "use", "\"source\" or \"target\"");
    expect_refused(with(R"(, "loose": 1)"), "loose", "true or false");
    expect_refused(with(R"(, "rank": -1)"), "rank", "");
    expect_refused(with(R"(, "roles": {"tail": []})"), "roles.tail", "a role");
    expect_refused(with(R"(, "roles": {"twist": ["a*b"]})"), "roles.twist", "beginning or end");
    expect_refused(with(R"(, "roles": {"twist": ["*"]})"), "roles.twist", "beginning or end");
    expect_refused(with(R"(, "reference": {"Hips": [1, 0, 0]})"), "reference.Hips", "four numbers");
    expect_refused(with(R"(, "reference": {"Hips": [1, 1, 0, 0]})"), "reference.Hips", "unit");
    expect_refused(with(R"(, "reference": {"Hips": [0, 0, 0, 0]})"), "reference.Hips", "unit");
}
