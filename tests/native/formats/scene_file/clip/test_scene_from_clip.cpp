// SPDX-License-Identifier: MIT
// Clips as scenes, and what returns from them.
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>

#include "catch.h"
#include "formats/scene_file/clip/clip.h"
#include "formats/scene_file/file/file.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "model/clip/clip.h"
#include "random_scene.h"
#include "rig/avatar/avatar.h"

using namespace animbridge;
using namespace animbridge::test;

TEST_CASE("a clip becomes a scene and the same clip again, in every space", "[scene-from-clip]") {
    Random random;
    const std::vector<double> times = {0.0, 0.25, 1.0};
    for (int turn = 0; turn < 48; ++turn) {
        scene_file::file::Document any = random_tree(random, false);
        animate(random, times, any);
        const Clip clip = clip_of(any);
        scene_file::clip::FromClip options;
        options.turns_to_front = false;
        options.is_skinned = turn % 2 == 0;
        const scene_file::file::Document made = scene_file::clip::in_space(
            scene_file::clip::from_clip(clip, options), random_tree(random, false).space);
        REQUIRE(scene_file::file::validate(made).has_value());
        REQUIRE(made.nodes.size() == clip.skeleton.nodes.size() + 1);
        CHECK(made.nodes[0].name == "Armature");
        // By plain matrices, not only by to_clip.
        const auto rest = worlds_of(made, rests_of(made));
        check_pose(resting(clip.skeleton), {rest.begin() + 1, rest.end()});
        ClipPoser before(clip);
        const Clip back = clip_of(made);
        ClipPoser after(back);
        // Without a skin, roots that do not move only carry their descendants.
        const std::size_t least = options.is_skinned ? clip.skeleton.nodes.size() : 1;
        REQUIRE(back.skeleton.nodes.size() >= least);
        for (const double seconds : times) {
            before.pose(seconds);
            after.pose(seconds);
            for (std::size_t joint = 0; joint < back.skeleton.nodes.size(); ++joint) {
                const auto same = clip.skeleton.find(back.skeleton.nodes[joint].name);
                REQUIRE(same.has_value());
                const Transform& a = before.world()[*same];
                const Transform& b = after.world()[joint];
                CHECK(glm::distance(a.translation, b.translation) < near_enough);
                CHECK(angle_between_degrees(a.rotation, b.rotation) < 1e-6);
            }
        }
    }
}

TEST_CASE("a scene's even turns follow a clip's straight ones", "[scene-from-clip]") {
    for (const double degrees : {5.0, 30.0, 90.0, 170.0}) {
        const double half = degrees * std::acos(-1.0) / 360.0;
        Track track{0, Channel::rotation};
        track.add_key(0.0, std::array{1.0, 0.0, 0.0, 0.0});
        track.add_key(1.0, std::array{std::cos(half), std::sin(half), 0.0, 0.0});
        const Clip clip{{{{"joint"}}}, {track}, {}, 1.0};
        const scene_file::file::Document made = scene_file::clip::from_clip(clip, {});
        const scene_file::file::Channel& channel = made.animations.at(0).channels.at(0);
        ClipPoser poser(clip);
        std::size_t key = 0;
        for (int i = 0; i <= 1000; ++i) {
            const double seconds = i / 1000.0;
            while (key + 2 < channel.times_seconds.size() && channel.times_seconds[key + 1] < seconds) {
                ++key;
            }
            const auto at = [&](std::size_t row) {
                const double* v = channel.values.data() + 4 * row;
                return glm::dquat(v[0], v[1], v[2], v[3]);
            };
            const double share = (seconds - channel.times_seconds[key]) /
                                 (channel.times_seconds[key + 1] - channel.times_seconds[key]);
            poser.pose(seconds);
            const glm::dquat even = glm::slerp(at(key), at(key + 1), share);
            CHECK(angle_between_degrees(poser.local()[0].rotation, even) <= 0.006);
        }
    }
}

TEST_CASE("a turned avatar is turned back by quarters, with its motion", "[scene-from-clip]") {
    const Skeleton& avatar = sl_anim::avatar::playing_skeleton();
    const double half = std::sqrt(0.5);
    Clip clip{avatar, {}, {}, 1.0};
    Track hips{*avatar.find("mPelvis"), Channel::translation};
    hips.add_key(0.0, std::array{0.1, 0.2, 1.0});
    clip.tracks.push_back(hips);
    for (const glm::dquat& turn : {glm::dquat(1, 0, 0, 0), glm::dquat(half, 0, 0, half),
                                   glm::dquat(0, 0, 0, 1), glm::dquat(half, 0, 0, -half)}) {
        Clip turned = clip;
        for (Node& node : turned.skeleton.nodes) {
            if (!node.parent) {
                node.rest_local = Transform{turn, {0, 0, 0}} * node.rest_local;
            }
        }
        const bool moves_root = !avatar.nodes[hips.node].parent;
        if (moves_root) {
            const glm::dvec3 moved = turn * glm::dvec3(0.1, 0.2, 1.0);
            turned.tracks[0].values = {moved.x, moved.y, moved.z};
        }
        const Clip back = rig::avatar::turned_like_avatar(turned);
        const auto wanted = resting(avatar);
        const auto found = resting(back.skeleton);
        for (std::size_t joint = 0; joint < wanted.size(); ++joint) {
            CHECK(glm::distance(wanted[joint].translation, found[joint].translation) < near_enough);
            CHECK(angle_between_degrees(wanted[joint].rotation, found[joint].rotation) < 1e-6);
        }
        CHECK(glm::distance(back.tracks[0].translation(0), glm::dvec3(0.1, 0.2, 1.0)) < near_enough);
    }
    // Another skeleton stays unchanged.
    Clip other{{{{"Bone"}}}, {}, {}, 1.0};
    other.skeleton.nodes[0].rest_local.rotation = {0, 0, 0, 1};
    CHECK(rig::avatar::turned_like_avatar(other).skeleton.nodes[0].rest_local.rotation.z == 1.0);
}

namespace {

/// Three keys at 0, 1 and 3 seconds, with handles at a third of the segments, and their expected values.
Track spline_track() {
    Track track{0, Channel::translation};
    track.add_key(0.0, std::array{0.0, 0.0, 0.0});
    track.add_key(1.0, std::array{1.0, 0.0, 2.0});
    track.add_key(3.0, std::array{0.0, 4.0, 2.0});
    track.interpolation.assign(3, Interpolation::bezier);
    const std::array<double, 3> before = {0.0, 1.0, 2.0};
    const std::array<double, 3> after = {1.0, 2.0, 0.0};
    constexpr double slope = 3.0;
    for (std::size_t key = 0; key < 3; ++key) {
        const double in = before.at(key) / 3.0;
        const double out = after.at(key) / 3.0;
        track.handles.insert(track.handles.end(), 3, {-in, -in * slope, out, out * slope});
    }
    return track;
}

scene_file::file::KeyKind kind_of(const Track& track, double duration, bool keeps_kinds) {
    scene_file::clip::FromClip options;
    options.keeps_kinds = keeps_kinds;
    const Clip clip{{{{"joint"}}}, {track}, {}, duration};
    const scene_file::file::Document made = scene_file::clip::from_clip(clip, options);
    REQUIRE(scene_file::file::validate(made).has_value());
    return made.animations.at(0).channels.at(0).kind;
}

}  // namespace

TEST_CASE("a track that is one cubic spline stays one where that is asked for", "[scene-from-clip]") {
    const Track track = spline_track();
    scene_file::clip::FromClip options;
    options.keeps_kinds = true;
    const Clip clip{{{{"joint"}}}, {track}, {}, 3.0};
    const scene_file::file::Channel channel =
        scene_file::clip::from_clip(clip, options).animations.at(0).channels.at(0);
    CHECK(channel.kind == scene_file::file::KeyKind::cubic);
    CHECK(channel.times_seconds == track.times);
    CHECK(channel.values == track.values);
    REQUIRE(channel.tangents.size() == 18);
    for (std::size_t i = 0; i < 18; ++i) {  // none before the first key and after the last one
        CHECK(channel.tangents[i] == Approx(i < 3 || i >= 15 ? 0.0 : 3.0));
    }
    CHECK(kind_of(track, 3.0, false) == scene_file::file::KeyKind::linear);
}

TEST_CASE("other curves are no cubic splines", "[scene-from-clip]") {
    Track track = spline_track();
    CHECK(kind_of(track, 2.5, true) == scene_file::file::KeyKind::linear);  // the end is not played
    SECTION("another weight") { track.handles[4].out_time *= 1.2; }
    SECTION("another weight on the other side") { track.handles[8].in_time *= 0.8; }
    SECTION("a line") { track.interpolation[1] = Interpolation::linear; }
    SECTION("begins too early") { track.times[0] = -1.0; }
    CHECK(kind_of(track, 3.0, true) == scene_file::file::KeyKind::linear);
}

TEST_CASE("a cubic spline becomes close lines for files without them", "[scene-from-clip]") {
    const Track track = spline_track();
    scene_file::clip::FromClip options;
    options.keeps_kinds = true;
    const Clip clip{{{{"joint"}}}, {track}, {}, 3.0};
    const scene_file::file::Channel lines =
        scene_file::clip::with_lines(scene_file::clip::from_clip(clip, options))
            .animations.at(0)
            .channels.at(0);
    REQUIRE(lines.kind == scene_file::file::KeyKind::linear);
    CHECK(lines.tangents.empty());
    std::size_t key = 0;
    for (int i = 0; i < 300; ++i) {
        const double seconds = i / 100.0;
        while (lines.times_seconds.get().at(key + 1) <= seconds) {
            ++key;
        }
        const double begin = lines.times_seconds[key];
        const double share = (seconds - begin) / (lines.times_seconds[key + 1] - begin);
        for (std::size_t number = 0; number < 3; ++number) {
            const double from = lines.values[3 * key + number];
            const double value = from + share * (lines.values[3 * (key + 1) + number] - from);
            // 0.02 mm for the keys that are left out; and lines of an eighth of a frame deviate by 0.04 mm
            // from a curve that bends by 18 m/s^2, the most here.
            CHECK(std::abs(value - evaluate(track, seconds, number)) < 6e-5);
        }
    }
}
