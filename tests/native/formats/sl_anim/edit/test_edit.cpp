// SPDX-License-Identifier: MIT
// Changes header values, and nothing else.
#include <string>
#include <vector>

#include "build.h"
#include "catch.h"
#include "formats/sl_anim/edit/edit.h"
#include "formats/sl_anim/file/file.h"

using namespace animbridge;
using namespace animbridge::test;
using sl_anim::file::Document;

namespace {

Document sample() {
    Document made = document(2.0F, {joint("mPelvis", {rotation_key(0, 0, 0, 0)}),
                                    joint("mHead", {rotation_key(0.5, 0.1, 0, 0)}, {}, 3),
                                    joint("no such joint", {rotation_key(1, 0, 0, 0)}, {}, 1),
                                    joint("mHead", {rotation_key(1, 0, 0.1, 0)}, {}, 2)});
    made.loop = -3;
    made.trailing = {1, 2, 3};
    return made;
}

Result<Document> edited(const char* edits) {
    return sl_anim::edit::edit(sample(), parse_json(edits).value());
}

void check_refused(const char* edits, std::initializer_list<const char*> told) {
    const auto result = edited(edits);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().code == ErrorCode::bad_value);
    for (const char* const part : told) {
        CAPTURE(part, result.error().message());
        CHECK(result.error().message().find(part) != std::string::npos);
    }
}

}  // namespace

TEST_CASE("every header value can be changed, and the rest stays", "[edit]") {
    Document wanted = sample();
    wanted.base_priority = 5;
    wanted.emote_name = "express_smile";
    wanted.loop = 0;
    wanted.loop_in_point = RawFloat(0.25F);
    wanted.loop_out_point = RawFloat(1.5F);
    wanted.ease_in_duration = RawFloat(0.1F);
    wanted.ease_out_duration = RawFloat(0.75F);
    wanted.hand_pose = 13;
    const auto made = edited(R"({"base_priority": 5, "emote_name": "express_smile", "loop": false,
        "loop_in_point": 0.25, "loop_out_point": 1.5, "ease_in_duration": 0.1, "ease_out_duration": 0.75,
        "hand_pose": 13})");
    REQUIRE(made.has_value());
    CHECK(*made == wanted);
}

TEST_CASE("an edit of nothing is the same file", "[edit]") {
    CHECK(edited("{}").value() == sample());
    CHECK(edited(R"({"loop": true})").value().loop == -3);  // already true, with the file's own number
}

TEST_CASE("the priority of a joint: all its records, by any of its names", "[edit]") {
    const auto by_name = edited(R"({"joint_priorities": {"mHead": 6, "no such joint": 0}})").value();
    CHECK(by_name.joints[0].priority == -1);
    CHECK(by_name.joints[1].priority == 6);
    CHECK(by_name.joints[2].priority == 0);
    CHECK(by_name.joints[3].priority == 6);
    CHECK(edited(R"({"joint_priorities": {"hip": 4}})").value().joints[0].priority == 4);
}

TEST_CASE("edits that cannot be are told", "[edit]") {
    check_refused("[]", {"an object"});
    check_refused(R"({"priority": 1})", {"priority", "base_priority, emote_name"});
    check_refused(R"({"base_priority": 2147483648})", {"base_priority", "2147483647"});
    check_refused(R"({"hand_pose": -1})", {"hand_pose"});
    check_refused(R"({"loop": 1})", {"true or false"});
    check_refused(R"({"loop_in_point": "x"})", {"loop_in_point"});
    check_refused(R"({"emote_name": "a\u0000b"})", {"without a NUL"});
    check_refused(R"({"joint_priorities": 3})", {"joint_priorities"});
    check_refused(R"({"joint_priorities": {"mTorso": 3}})",
                  {"joint_priorities.mTorso", "a joint of the animation"});
    check_refused(R"({"joint_priorities": {"mHead": 1.5}})", {"joint_priorities.mHead"});
}

namespace {

/// The rules in the report of the edit.
std::vector<std::string> brought_by(const AnyDocument& document, const char* edits) {
    const auto made = document.edited(parse_json(edits).value());
    REQUIRE(made.has_value());
    std::vector<std::string> ids;
    for (const Json& finding : made->report["findings"]) {
        ids.push_back(finding["id"].get<std::string>());
    }
    return ids;
}

}  // namespace

TEST_CASE("an edit reports what the viewer does with the new values", "[edit]") {
    using Ids = std::vector<std::string>;
    const DocumentPtr document = sl_anim::file::make_document(sample());
    CHECK(brought_by(*document, R"({"base_priority": 6})").empty());
    CHECK(brought_by(*document, R"({"base_priority": 7})") == Ids{"base_priority_clamped"});
    CHECK(brought_by(*document, R"({"base_priority": -2})") == Ids{"base_priority_too_low"});
    CHECK(brought_by(*document, R"({"hand_pose": 15})") == Ids{"hand_pose_unknown"});
    CHECK(brought_by(*document, R"({"loop_out_point": {"bits": "7fc00000"}})") ==
          Ids{"loop_point_not_finite"});
    CHECK(brought_by(*document, R"({"joint_priorities": {"mHead": 7}})") == Ids{"joint_priority_too_high"});
}

TEST_CASE("what the file had before an edit is not the edit's", "[edit]") {
    Document high = sample();
    high.base_priority = 8;
    const DocumentPtr document = sl_anim::file::make_document(high);
    CHECK(brought_by(*document, R"({"loop": false})").empty());
    CHECK(brought_by(*document, R"({"base_priority": 9})") ==
          std::vector<std::string>{"base_priority_clamped"});
}
