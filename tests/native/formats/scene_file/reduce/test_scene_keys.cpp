// SPDX-License-Identifier: MIT
// Fewer keys for recordings in scenes: what holds is looked at with the poses of clips, at any time.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <random>

#include "catch.h"
#include "formats/scene_file/clip/clip.h"
#include "formats/scene_file/reduce/reduce.h"
#include "formats/scene_file/scene/scene.h"
#include "model/clip/clip.h"

using namespace animbridge;
using reduce::Bound;
using scene_file::file::Document;

namespace {

/// A chain of joints, half a metre from one to the next.
Skeleton chain(std::size_t joints) {
    Skeleton skeleton;
    for (std::size_t i = 0; i < joints; ++i) {
        const Transform rest{{1, 0, 0, 0}, {0, 0, i == 0 ? 1.0 : 0.5}};
        skeleton.nodes.push_back(
            {"joint" + std::to_string(i), {}, i == 0 ? std::nullopt : std::optional(i - 1), rest});
    }
    return skeleton;
}

glm::dquat swing(std::size_t joint, double seconds) {
    const auto j = static_cast<double>(joint);
    return glm::normalize(glm::dquat(1.0, 0.4 * std::sin(2.1 * seconds + j),
                                     0.3 * std::sin((1.7 + 0.2 * j) * seconds),
                                     0.2 * std::cos(3.0 * seconds - j)));
}

struct Making {
    std::size_t joints = 5;
    std::size_t keys = 240;
    double keys_per_second = 120;
    double noise = 0;
    bool jumps = false;
};

/// A key of each joint at each frame.
Clip recording(const Making& making) {
    std::mt19937 random(7);
    // A distribution of the standard library has other numbers on other systems.
    const auto any = [&] { return 1.7 * (static_cast<double>(random()) / 2147483648.0 - 1.0); };
    Clip clip;
    clip.skeleton = chain(making.joints);
    for (std::size_t joint = 0; joint < making.joints; ++joint) {
        Track turns{joint, Channel::rotation};
        Track moves{joint, Channel::translation};
        for (std::size_t key = 0; key < making.keys; ++key) {
            const double seconds = static_cast<double>(key) / making.keys_per_second;
            const double noise = making.noise * any();
            const bool is_apart = making.jumps && key >= making.keys / 2;
            const glm::dquat q =
                glm::normalize(swing(joint, seconds) * glm::dquat(1.0, noise, is_apart ? 0.5 : 0.0, noise));
            turns.add_key(seconds, std::array{q.w, q.x, q.y, q.z});
            moves.add_key(seconds,
                          std::array{0.2 * std::sin(seconds), noise, 1.0 + 0.1 * std::cos(2.0 * seconds)});
        }
        clip.tracks.push_back(std::move(turns));
        if (joint == 0) {
            clip.tracks.push_back(std::move(moves));
        }
    }
    clip.duration_seconds = static_cast<double>(making.keys - 1) / making.keys_per_second;
    clip.frames_per_second = std::max(making.keys_per_second, 30.0);  // as conversions take it
    return clip;
}

Document scene_of(const Clip& clip) {
    scene_file::clip::FromClip options;
    options.frames_per_second = clip.frames_per_second;
    options.turns_to_front = false;
    options.keeps_kinds = true;
    return scene_file::clip::from_clip(clip, options);
}

std::optional<scene_file::reduce::Thinned> thinned(const Document& document, const Bound& bound) {
    return scene_file::reduce::thinned(document, bound, 0, {}).value();
}

/// The largest differences at the times.
JointDifference apart(const Document& a, const Document& b, const std::vector<double>& times) {
    const Clip one = scene_file::scene::main_clip(a);
    const Clip other = scene_file::scene::main_clip(b);
    ClipPoser before(one);
    ClipPoser after(other);
    JointDifference most;
    for (const double seconds : times) {
        before.pose(seconds);
        after.pose(seconds);
        for (std::size_t node = 0; node < one.skeleton.nodes.size(); ++node) {
            most.widen(
                1000.0 * glm::distance(before.world()[node].translation, after.world()[node].translation),
                angle_between_degrees(before.local()[node].rotation, after.local()[node].rotation), seconds);
        }
    }
    return most;
}

}  // namespace

TEST_CASE("new keys of a scene hold the bound at every key and between", "[scene-keys]") {
    for (const Making& making : {Making{}, Making{.joints = 1}, Making{.noise = 1e-5}, Making{.jumps = true},
                                 Making{.keys = 60, .keys_per_second = 25}}) {
        const Document document = scene_of(recording(making));
        for (const Bound& bound : {Bound{0.1, 0.01}, Bound{1, 0.1}, Bound{20, 2}}) {
            const auto few = thinned(document, bound);
            REQUIRE(few);
            CHECK(few->keys_after < few->keys_before);
            REQUIRE(scene_file::file::validate(few->document).has_value());
            const auto& times = document.animations[0].channels[0].times_seconds.get();
            const JointDifference at_keys = apart(document, few->document, times);
            CHECK(at_keys.position_mm <= bound.position_mm);
            CHECK(at_keys.rotation_degrees <= bound.rotation_degrees);
            std::mt19937 random(3);
            std::uniform_real_distribution<double> any(0.0, times.back());
            std::vector<double> between(500);
            std::ranges::generate(between, [&] { return any(random); });
            const JointDifference anywhere = apart(document, few->document, between);
            CHECK(anywhere.position_mm <= bound.position_mm);
            CHECK(anywhere.rotation_degrees <= bound.rotation_degrees);
        }
    }
}

TEST_CASE("a smooth recording of a scene needs few keys, and a still one a key for each joint",
          "[scene-keys]") {
    const auto few = thinned(scene_of(recording({})), {0.5, 0.05});
    REQUIRE(few);
    CHECK(few->keys_after * 3 < few->keys_before);
    Clip still = recording({});
    for (Track& track : still.tracks) {
        for (std::size_t key = 1; key < track.key_count(); ++key) {
            std::ranges::copy(track.value(0),
                              track.values.begin() + static_cast<std::ptrdiff_t>(key * track.width()));
        }
    }
    const auto one = thinned(scene_of(still), {0.1, 0.01});
    REQUIRE(one);
    CHECK(one->keys_after == still.tracks.size());
}

TEST_CASE("what an animator keyed stays bit for bit beside a recording", "[scene-keys]") {
    Clip clip = recording({});
    Track few{1, Channel::rotation};
    Track held{2, Channel::rotation};
    Track bent{3, Channel::translation};
    for (std::size_t key = 0; key < 4; ++key) {
        const double seconds = 0.6 * static_cast<double>(key);
        const glm::dquat q = swing(9, seconds);
        few.add_key(seconds, std::array{q.w, q.x, q.y, q.z});
        bent.add_key(seconds, std::array{q.x, q.y, 0.5 + q.z});
        for (int number = 0; number < 3; ++number) {
            bent.handles.push_back({-0.2, 0.01 * number, 0.2, -0.02});
        }
    }
    bent.interpolation.assign(4, Interpolation::bezier);
    for (std::size_t key = 0; key < 200; ++key) {
        const glm::dquat q = swing(4, static_cast<double>(key / 7));
        held.add_key(static_cast<double>(key) / 120.0, std::array{q.w, q.x, q.y, q.z});
    }
    held.interpolation.assign(200, Interpolation::step);
    std::erase_if(clip.tracks, [](const Track& track) { return track.node >= 1 && track.node <= 3; });
    clip.tracks.insert(clip.tracks.end(), {few, held, bent});
    for (const bool has_kinds : {true, false}) {  // without them, steps are slopes
        Document document = scene_of(clip);
        document = has_kinds ? document : scene_file::clip::with_lines(std::move(document));
        const auto made = thinned(document, {0.1, 0.01});
        REQUIRE(made);
        for (std::size_t i = 0; i < document.animations[0].channels.size(); ++i) {
            const auto& before = document.animations[0].channels[i];
            const auto& after = made->document.animations[0].channels[i];
            const bool is_keyed = before.node == 2 || before.node == 3 || (before.node == 4 && has_kinds);
            if (is_keyed || before.node == 4) {  // of the curve, lines are left
                CHECK((!is_keyed ||
                       (before.times_seconds == after.times_seconds && before.values == after.values &&
                        before.tangents == after.tangents && before.kind == after.kind)));
            } else {
                CHECK(after.times_seconds.size() < before.times_seconds.size());
            }
        }
    }
}

TEST_CASE("a scene without a recording keeps its keys", "[scene-keys]") {
    CHECK_FALSE(thinned(scene_of(recording({.keys = 4})), {20, 2}));
    CHECK_FALSE(thinned(scene_of(recording({.keys = 40, .keys_per_second = 4})), {20, 2}));
    Document sized = scene_of(recording({}));
    sized.nodes[2].rest.scale = {1, 2, 1};
    CHECK_FALSE(thinned(sized, {20, 2}));
    // Noise needs all of its keys.
    CHECK_FALSE(thinned(scene_of(recording({.noise = 0.5})), {0.01, 0.001}));
}
