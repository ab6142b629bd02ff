// SPDX-License-Identifier: MIT
// The report as JSON and as text.
#include "catch.h"
#include "retarget_support.h"

using namespace animbridge;
using namespace animbridge::test;

TEST_CASE("the report says what has no bone, what is left out, and how far the hands are apart",
          "[retarget]") {
    std::vector<BodyJoint> with_tail = person(0);
    with_tail.push_back({"tail", "tail", 0, {-0.1, 0, 0.9}});
    const Body source = body_of(with_tail);
    const Body target = body_of(person(0, 1, 0.5));
    Clip clip = still(source);
    turn_joint(clip, with_tail.size() - 1, {about({0, 0, 1}, 0), about({0, 0, 1}, 10)});
    const rig::retarget::RetargetReport report = retargeted(clip, source, target).report;
    CHECK(report.only_in_source == std::vector<std::string>{"tail"});
    CHECK(report.dropped_motion == std::vector<std::string>{"tail"});
    REQUIRE(report.hands);
    // Arms of 0.53 m, wrists at 0.17 + 0.53 m on either side; half of the length on the target.
    const double arm = 0.28 + std::hypot(0.25, 0.01);
    CHECK(report.hands->source_distance == Approx(1.4 / arm));
    CHECK(report.hands->target_distance == Approx((0.34 + 0.53) / (arm / 2)));

    const Json json = rig::retarget::retarget_json(report);
    CHECK(json["slots"].size() == report.slots.size());
    CHECK(json["body"]["slot"] == Json("hips"));
    CHECK(json["only_in_source"][0] == Json("tail"));
    const std::string text = rig::retarget::describe_retarget(json);
    CHECK_THAT(text, ContainsSubstring("parts of the body move as in the input, within 0.000 degrees\n"));
    CHECK_THAT(text, ContainsSubstring("The output has no joint for: tail\n"));
    CHECK_THAT(text,
               ContainsSubstring("the feet slide 0 mm per second; the input's, scaled like the path, 0\n"));
    CHECK_THAT(text, ContainsSubstring("arm lengths farther apart than the input's"));
    CHECK_THAT(text, !ContainsSubstring("leftUpperArm"));
}

TEST_CASE("a joint that only trembles by single precision has no motion that is left out", "[retarget]") {
    std::vector<BodyJoint> with_tail = person(0);
    with_tail.push_back({"tail", "tail", 0, {-0.1, 0, 0.9}});
    const Body source = body_of(with_tail);
    const Body target = body_of(person(0));
    for (const double degrees : {0.0, 1e-4, 0.01}) {
        Clip clip = still(source);
        const glm::dquat turned = about({0, 0, 1}, degrees);
        turn_joint(clip, with_tail.size() - 1, {about({0, 0, 1}, 0), -turned, turned});
        const bool moves = !retargeted(clip, source, target).report.dropped_motion.empty();
        CHECK(moves == (degrees > 1e-3));
    }
}

TEST_CASE("what differs in the finished clip is in the report", "[retarget]") {
    const Body source = body_of(person(0));
    const Body target = body_of(person(45));
    rig::retarget::RetargetOptions options;
    options.align = false;
    const rig::retarget::RetargetReport report = retargeted(still(source), source, target, options).report;
    // Arms hang 45 degrees lower, like at rest.
    for (const rig::retarget::SlotReport& slot : report.slots) {
        if (slot.slot == "leftUpperArm") {
            CHECK(slot.by_direction);
            CHECK(slot.difference_degrees.value() == Approx(45));
        }
    }
    CHECK(report.worst_degrees() == Approx(45));
}

TEST_CASE("feet that never stand still are said to, and slide by nothing that was measured", "[retarget]") {
    const Body body = body_of(person(0));
    Clip clip = still(body);
    Track path{0, Channel::translation};
    for (int key = 0; key < 5; ++key) {
        // 3 m per second: a foot is on the floor below a quarter of the hips' height, 0.24 m, per second.
        add_row(path, key / 30.0, glm::dvec3(key / 10.0, 0, 0.95));
    }
    clip.tracks.push_back(path);
    const Json json = rig::retarget::retarget_json(retargeted(clip, body, body).report);
    REQUIRE(json["feet"].size() == 2);
    CHECK(json["feet"][0]["contacts"] == Json(0));
    const std::string text = rig::retarget::describe_retarget(json);
    CHECK_THAT(text, ContainsSubstring("The input's feet never stand still, so no slide was measured\n"));
    CHECK_THAT(text, !ContainsSubstring("per second"));
}
