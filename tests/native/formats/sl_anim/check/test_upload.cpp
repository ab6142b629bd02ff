// SPDX-License-Identifier: MIT
// The file that the viewer stores after an upload, computed by hand.
#include <algorithm>

#include "build.h"
#include "catch.h"
#include "formats/sl_anim/check/check.h"
#include "spec_codes.h"

using namespace animbridge;
using namespace animbridge::test;
using sl_anim::file::CodedKey;
using sl_anim::file::Document;

namespace {

std::vector<CodedKey> rotations(const Document& document, std::size_t joint) {
    return document.joints.at(joint).rotation.coded;
}

sl_anim::file::Constraint constraint(std::string_view source, std::string_view target, std::uint8_t chain) {
    sl_anim::file::Constraint made;
    made.chain_length = chain;
    made.source_volume.fill('#');
    made.target_volume.fill('#');
    std::copy(source.begin(), source.end(), made.source_volume.begin());
    std::copy(target.begin(), target.end(), made.target_volume.begin());
    made.source_volume.at(source.size()) = '\0';
    made.target_volume.at(target.size()) = '\0';
    return made;
}

}  // namespace

TEST_CASE("an upload writes header fields as the viewer holds them", "[upload]") {
    Document given = looped(turning_torso(2.0F), 0.0F, 2.0F);
    given.base_priority = 9;
    given.loop = -3;
    given.emote_name = "no such face";
    given.trailing = {1, 2, 3};
    given.constraint_count = 99;
    const auto prediction = sl_anim::check::predict_upload(given);
    REQUIRE(prediction.stored.has_value());
    const Document& stored = *prediction.stored;
    CHECK(stored.base_priority == 6);
    CHECK(stored.loop == 1);
    CHECK(stored.emote_name.empty());
    CHECK(stored.trailing.empty());
    CHECK(stored.constraint_count == 0);
    CHECK(stored.duration == given.duration);
    given.emote_name = "Express_Frown";
    CHECK(sl_anim::check::predict_upload(given).stored->emote_name == "Express_Frown");
    given.emote_name = "Closed_Mouth";
    CHECK(sl_anim::check::predict_upload(given).stored->emote_name.empty());
}

TEST_CASE("an upload sorts keys, keeps the last of a time, and pushes the codes through again", "[upload]") {
    const std::vector<CodedKey> keys = {
        {40000, {50000, 20001, 32768}}, {7, {1, 2, 3}}, {40000, {40001, 30003, 32767}}};
    const Document given =
        document(2.0F, {joint("hip", keys), joint("mTorso", {}, {{100, {12345, 54321, 32768}}})});
    const auto stored = sl_anim::check::predict_upload(given).stored;
    REQUIRE(stored.has_value());
    CHECK(stored->joints[0].name == "mPelvis");
    const auto written = rotations(*stored, 0);
    REQUIRE(written.size() == 2);
    const Range time{0.0F, 2.0F};
    CHECK(written[0].time == spec_encode(spec_decode(7, time), time));
    CHECK(written[0].xyz == spec_restored({1, 2, 3}));
    CHECK(written[1].time == spec_encode(spec_decode(40000, time), time));
    CHECK(written[1].xyz == spec_restored({40001, 30003, 32767}));
    const auto positions = stored->joints[1].position.coded;
    REQUIRE(positions.size() == 1);
    CHECK(positions[0].xyz[0] == spec_restored_position(12345));
    CHECK(positions[0].xyz[1] == spec_restored_position(54321));
    CHECK(positions[0].xyz[2] == 32767);
}

TEST_CASE("an upload turns the constraints' order and clears what stands behind their names", "[upload]") {
    Document given = document(2.0F, {joint("mWristLeft", {rotation_key(0, 0, 0, 0)}),
                                     joint("mElbowLeft", {rotation_key(0, 0, 0, 0)})});
    given.constraints = {constraint("L_HAND", "GROUND", 0), constraint("L_HAND", "CHEST", 1)};
    given.constraint_count = 2;
    const auto stored = sl_anim::check::predict_upload(given).stored;
    REQUIRE(stored.has_value());
    REQUIRE(stored->constraints.size() == 2);
    CHECK(stored->constraints[0].chain_length == 1);
    CHECK(stored->constraints[1].chain_length == 0);
    CHECK(stored->constraints[1].target_volume == sl_anim::file::VolumeName{'G', 'R', 'O', 'U', 'N', 'D'});
    CHECK(stored->constraints[0].source_volume == sl_anim::file::VolumeName{'L', '_', 'H', 'A', 'N', 'D'});
}

TEST_CASE("an upload makes 1.0 of 0.1", "[upload]") {
    Document old = document(2.0F, {});
    old.version = sl_anim::file::Version::legacy;
    const auto key = [](float seconds, float z) {
        return sl_anim::file::LegacyKey{RawFloat(seconds), {RawFloat(0.0F), RawFloat(0.0F), RawFloat(z)}};
    };
    // Each time beyond the duration gets the duration's code.
    old.joints.push_back({"mTorso", -1, {{}, {key(0.0F, 90.0F), key(3.0F, 0.0F), key(5.0F, 0.0F)}}, {}});
    const auto stored = sl_anim::check::predict_upload(old).stored;
    REQUIRE(stored.has_value());
    CHECK(stored->version == sl_anim::file::Version::coded);
    const auto written = rotations(*stored, 0);
    REQUIRE(written.size() == 3);
    CHECK(written[0].time == 0);
    CHECK(written[1].time == 65535);
    CHECK(written[2].time == 65535);
    CHECK(std::abs(written[0].xyz[2] - (std::sqrt(0.5) + 1.0) / 2.0 * 65535.0) < 2.0);
    CHECK(written[1].xyz == Codes{zero_code, zero_code, zero_code});
}

TEST_CASE("what the viewer refuses is not stored, and the findings say why", "[upload]") {
    const auto refused = [](const Document& document, std::string_view id) {
        const auto prediction = sl_anim::check::predict_upload(document);
        CHECK_FALSE(prediction.stored.has_value());
        return std::any_of(prediction.findings.begin(), prediction.findings.end(),
                           [&](const Finding& f) { return f.rule->id == id; });
    };
    CHECK(refused(turning_torso(61.0F), "duration_too_long"));
    CHECK(refused(document(1.0F, {joint("Nobody", {rotation_key(0, 0, 0, 0)})}), "joint_unknown_on_upload"));
    CHECK(refused(document(1.0F, {joint("mRoot", {rotation_key(0, 0, 0, 0)})}), "joint_forbidden"));
}

TEST_CASE("repeated uploads of a file settle", "[upload]") {
    // Codes only fall, at most 65 times for rotations and 257 times for positions.
    std::mt19937 random(6);
    std::uniform_int_distribution<int> any(0, 65535);
    std::vector<CodedKey> turns;
    std::vector<CodedKey> places;
    for (int i = 0; i < 500; ++i) {
        const Quat q = random_turn(random, any(random) * 170.0 / 65535.0);
        turns.push_back(rotation_key(i / 500.0, q[1], q[2], q[3]));
        places.push_back({static_cast<std::uint16_t>(i * 100),
                          {static_cast<std::uint16_t>(any(random)), static_cast<std::uint16_t>(any(random)),
                           static_cast<std::uint16_t>(any(random))}});
    }
    Document now = document(2.0F, {joint("mTorso", turns), joint("mChest", {}, places)});
    int uploads = 0;
    for (; uploads < 400; ++uploads) {
        Document next = sl_anim::check::predict_upload(now).stored.value();
        if (next == now) {
            break;
        }
        now = std::move(next);
    }
    CHECK(uploads > 3);
    CHECK(uploads < 400);
}
