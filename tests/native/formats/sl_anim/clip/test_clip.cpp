// SPDX-License-Identifier: MIT
// A document as a clip, and a clip as a document.
#include <algorithm>

#include "build.h"
#include "catch.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/clip/clip.h"
#include "formats/sl_anim/scene/scene.h"
#include "invariants.h"
#include "spec_codes.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;
using sl_anim::clip::TrackName;
using sl_anim::codes::Encoder;
using sl_anim::file::Document;

namespace {

sl_anim::clip::FromClip options_for(const Document& base, Encoder encoder = Encoder::nearest) {
    return {encoder, &base, {}, base.duration.value()};
}

const sl_anim::file::Joint& named(const Document& document, std::string_view name) {
    const auto found = std::find_if(document.joints.begin(), document.joints.end(),
                                    [&](const auto& joint) { return joint.name == name; });
    REQUIRE(found != document.joints.end());
    return *found;
}

Clip without_tracks(const Document& document) {
    Clip clip = sl_anim::clip::to_clip(document).value();
    clip.tracks.clear();
    return clip;
}

Clip with_rotation(std::string_view name, std::vector<double> times, const std::vector<glm::dquat>& values) {
    Clip clip;
    clip.skeleton = sl_anim::avatar::playing_skeleton();
    Track track{clip.skeleton.find(name).value(), Channel::rotation};
    for (std::size_t i = 0; i < times.size(); ++i) {
        track.add_key(times[i], std::array<double, 4>{values[i].w, values[i].x, values[i].y, values[i].z});
    }
    clip.tracks.push_back(track);
    return clip;
}

}  // namespace

TEST_CASE("a clip is refused exactly where the viewer refuses the file", "[clip]") {
    int refused = 0;
    for (const Fixture& row : fixtures()) {
        const auto document = sl_anim::file::read(row.bytes());
        if (!document) {
            continue;
        }
        INFO(row.file);
        const auto clip = sl_anim::clip::to_clip(*document);
        if (clip) {
            CHECK_NOTHROW(check_clip(*clip));
            CHECK(clip->duration_seconds == static_cast<double>(document->duration.value()));
            REQUIRE(clip->markers.size() == (document->loop != 0 ? 2 : 0));
            if (document->loop != 0) {
                CHECK(clip->markers[0].name == "loop_in");
                CHECK(clip->markers[1].time_seconds == static_cast<double>(document->loop_out_point.value()));
            }
        } else {
            ++refused;
            CHECK(clip.error().code == ErrorCode::rejected);
        }
    }
    CHECK(refused > 20);
}

TEST_CASE("the clip of a document encodes to the document again", "[clip]") {
    // Quiet files: codes within the unit ball, in one order. `nearest` finds each code again.
    std::mt19937 random(51);
    std::vector<sl_anim::file::CodedKey> turns;
    std::vector<sl_anim::file::CodedKey> places;
    std::uniform_int_distribution<int> any(0, 65535);
    for (int i = 0; i < 300; ++i) {
        const Quat q = random_turn(random, 160.0 * i / 300.0);
        turns.push_back(
            {static_cast<std::uint16_t>(i * 200 + any(random) % 200), rotation_key(0, q[1], q[2], q[3]).xyz});
        places.push_back({static_cast<std::uint16_t>(i * 200 + any(random) % 200),
                          {static_cast<std::uint16_t>(any(random)), 1, 65535}});
    }
    const Document document =
        animbridge::test::document(3.7F, {joint("mTorso", turns), joint("mChest", {}, places)});
    const Clip clip = sl_anim::clip::to_clip(document).value();
    const Document back = sl_anim::clip::from_clip(clip, {}, options_for(document));
    const auto& written = named(back, "mTorso").rotation.coded;
    REQUIRE(written.size() == turns.size());
    for (std::size_t i = 0; i < turns.size(); ++i) {
        CHECK(written[i].time == turns[i].time);
        for (std::size_t c = 0; c < 3; ++c) {
            CHECK(std::abs(written[i].xyz[c] - turns[i].xyz[c]) <= 1);
        }
    }
    CHECK(named(back, "mChest").position.coded == places);
}

TEST_CASE("tracks that a clip does not have stay bit for bit", "[clip]") {
    for (const Fixture& row : fixtures()) {
        const auto document = sl_anim::file::read(row.bytes());
        if (!document || !sl_anim::clip::to_clip(*document)) {
            continue;
        }
        INFO(row.file);
        const auto same = sl_anim::clip::from_clip(without_tracks(*document), {}, options_for(*document));
        CHECK(same == *document);
    }
}

TEST_CASE("tracks that are taken out are gone, and records with nothing left", "[clip]") {
    Document document = turning_torso(2.0F);
    document.joints.push_back(
        joint("chest", {rotation_key(0, 0, 0, 0)}, {position_key(0, 1, 1, 1)}));  // an alias of mChest
    document.joints.push_back(joint("mHead", {}));
    const Clip clip = without_tracks(document);
    const Document less = sl_anim::clip::from_clip(
        clip, {{"mTorso", Channel::rotation}, {"mChest", Channel::rotation}}, options_for(document));
    REQUIRE(less.joints.size() == 2);
    CHECK(less.joints[0].name == "chest");
    CHECK(key_count(less.joints[0].rotation) == 0);
    CHECK(less.joints[0].position == document.joints[1].position);
    CHECK(less.joints[1].name == "mHead");  // it never had keys, so it stays
}

TEST_CASE("an edited joint changes only its record", "[clip]") {
    Document document = turning_torso(2.0F);
    document.joints.push_back(joint("hip", {rotation_key(0, 0.1, 0, 0)}, {position_key(0, 1, 1, 1)}, 4));
    document.trailing = {7, 7};
    const glm::dquat edited(std::cos(0.2), std::sin(0.2), 0, 0);
    const Document written = sl_anim::clip::from_clip(with_rotation("mPelvis", {0.0, 2.0}, {edited, edited}),
                                                      {}, options_for(document));
    REQUIRE(written.joints.size() == 2);
    CHECK(written.joints[0] == document.joints[0]);
    CHECK(written.joints[1].name == "hip");
    CHECK(written.joints[1].priority == 4);
    CHECK(written.joints[1].position == document.joints[1].position);
    CHECK(written.trailing == document.trailing);
    const auto& keys = written.joints[1].rotation.coded;
    REQUIRE(keys.size() == 2);
    CHECK(keys[0].xyz == rotation_key(0, std::sin(0.2), 0, 0).xyz);
    CHECK(keys[1].time == 65535);
}

TEST_CASE("new joints get the header's priority, in the skeleton's order", "[clip]") {
    const glm::dquat none(1, 0, 0, 0);
    Clip clip = with_rotation("mHead", {0.0}, {none});
    Clip other = with_rotation("mPelvis", {0.0}, {none});
    clip.tracks.push_back(other.tracks[0]);
    sl_anim::clip::FromClip options{Encoder::upload, nullptr, {}, 2.0F};
    options.header.joint_priority = 3;
    const Document written = sl_anim::clip::from_clip(clip, {}, options);
    REQUIRE(written.joints.size() == 2);
    CHECK(written.joints[0].name == "mPelvis");
    CHECK(written.joints[1].name == "mHead");
    CHECK(written.joints[1].priority == 3);
}

TEST_CASE("a new file has the viewer's defaults", "[clip]") {
    const Clip clip = with_rotation("mHead", {0.0}, {glm::dquat(1, 0, 0, 0)});
    const Document written = sl_anim::clip::from_clip(clip, {}, {Encoder::upload, nullptr, {}, 2.0F});
    CHECK(written.version == sl_anim::file::Version::coded);
    CHECK(written.base_priority == 2);
    CHECK(written.loop == 0);
    CHECK(written.duration.value() == 2.0F);
    CHECK(written.loop_out_point.value() == 2.0F);
    CHECK(written.ease_in_duration.value() == 0.3F);
    CHECK(written.ease_out_duration.value() == 0.3F);
    CHECK(written.hand_pose == 1);
    CHECK(written.emote_name.empty());
    CHECK(written.constraint_count == 0);
    // Two eases of 0.3 s do not fit into 0.2 s.
    const Document brief = sl_anim::clip::from_clip(clip, {}, {Encoder::upload, nullptr, {}, 0.2F});
    CHECK(brief.ease_in_duration.value() == Approx(0.1));
    CHECK(brief.ease_out_duration.value() == Approx(0.1));
}

TEST_CASE("another duration keeps the seconds", "[clip]") {
    const Document document = looped(document_with_middle(2.0F), 0.5F, 2.0F);
    const Document longer =
        sl_anim::clip::from_clip(without_tracks(document), {}, {Encoder::nearest, &document, {}, 4.0F});
    CHECK(longer.duration.value() == 4.0F);
    CHECK(longer.loop_in_point.value() == 0.5F);
    CHECK(longer.loop_out_point.value() == 4.0F);  // it was at the end
    const auto& before = document.joints[0].rotation.coded;
    const auto& after = longer.joints[0].rotation.coded;
    REQUIRE(after.size() == before.size());
    for (std::size_t i = 0; i < after.size(); ++i) {
        CHECK(after[i].xyz == before[i].xyz);
        CHECK(after[i].time * 4.0 / 65535.0 == Approx(before[i].time * 2.0 / 65535.0).margin(4.0 / 65535.0));
    }
}

TEST_CASE("version 0.1 stays 0.1", "[clip]") {
    Document old = document(2.0F, {});
    old.version = sl_anim::file::Version::legacy;
    const auto zero = RawFloat(0.0F);
    old.joints.push_back({"mTorso", -1, {{}, {{zero, {zero, zero, zero}}}}, {}});
    std::mt19937 random(52);
    for (int i = 0; i < 2000; ++i) {
        Quat q = random_turn(random, i * 180.0 / 2000.0);
        if (i % 10 == 0) {
            q = {std::sqrt(0.5) * std::cos(i), std::sqrt(0.5) * std::sin(i), std::sqrt(0.5) * std::cos(i),
                 std::sqrt(0.5) * std::sin(i)};  // y rotated by 90 degrees
        }
        const glm::dquat wanted(q[0], q[1], q[2], q[3]);
        const Document written =
            sl_anim::clip::from_clip(with_rotation("mTorso", {0.25}, {wanted}), {}, options_for(old));
        CHECK(written.version == sl_anim::file::Version::legacy);
        const auto& key = written.joints[0].rotation.legacy.at(0);
        CHECK(key.time_seconds.value() == 0.25F);
        // X * Y * Z of the angles, in double precision.
        glm::dquat shown(1, 0, 0, 0);
        for (int axis = 0; axis < 3; ++axis) {
            glm::dvec3 direction(0);
            direction[axis] = 1;
            shown = shown * glm::angleAxis(
                                key.xyz.at(static_cast<std::size_t>(axis)).value() * std::numbers::pi / 180.0,
                                direction);
        }
        if (angle_between_degrees(shown, wanted) > 1e-3) {
            FAIL("rotation " << i << " is off by " << angle_between_degrees(shown, wanted));
        }
    }
}

TEST_CASE("a body that only shares a few other names with the avatar is not written", "[clip]") {
    Clip clip;
    clip.duration_seconds = 1;
    clip.skeleton.nodes.push_back({.name = "cow"});
    for (const char* name : {"head", "leg_a", "leg_b", "leg_c"}) {
        Node node{.name = name};
        node.parent = 0;
        Track track{clip.skeleton.nodes.size(), Channel::rotation};
        track.add_key(0, std::array<double, 4>{1, 0, 0, 0});
        track.add_key(1, std::array<double, 4>{0.8, 0.6, 0, 0});
        clip.skeleton.nodes.push_back(node);
        clip.tracks.push_back(track);
    }
    const Job job;
    const Json options = Json::object();
    const auto written = [&] { return sl_anim::scene::document_from_clip({clip, options, job}); };
    REQUIRE_FALSE(written().has_value());
    CHECK(written().error().message().find("name of the Second Life avatar") != std::string::npos);
    SECTION("the avatar's own name is meant") {
        clip.skeleton.nodes[1].name = "mHead";
        CHECK(written().has_value());
    }
    SECTION("most of its joints are the avatar's") {
        clip.tracks.resize(1);
        CHECK(written().has_value());
    }
}
