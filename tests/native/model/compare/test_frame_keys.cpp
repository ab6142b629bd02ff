// SPDX-License-Identifier: MIT
// Curves as keys at frames: which tracks get them, at which rate, and how far the motion is off between.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "catch.h"
#include "model/compare/compare.h"

using namespace animbridge;

namespace {

/// A joint that swings about an axis, `hertz` times a second.
struct Swing {
    double hertz = 1.0;
    double radians = 1.0;

    [[nodiscard]] glm::dquat at(double seconds) const {
        const double half = 0.5 * radians * std::sin(2.0 * std::numbers::pi * hertz * seconds);
        return {std::cos(half), 0.6 * std::sin(half), 0.8 * std::sin(half), 0.0};
    }
    [[nodiscard]] Track keyed(std::size_t node, const std::vector<double>& times) const {
        Track track{node, Channel::rotation};
        for (const double seconds : times) {
            const glm::dquat q = at(seconds);
            track.add_key(seconds, std::array{q.w, q.x, q.y, q.z});
        }
        return track;
    }
};

std::vector<double> frames(double rate, std::size_t count) {
    std::vector<double> times;
    for (std::size_t frame = 0; frame < count; ++frame) {
        times.push_back(static_cast<double>(frame) / rate);
    }
    return times;
}

/// With random keys between, like a reader that follows a curve.
std::vector<double> with_more(std::vector<double> times, std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> between(times.front(), times.back());
    for (std::size_t i = 0; i < count; ++i) {
        times.push_back(between(random));
    }
    std::sort(times.begin(), times.end());
    return times;
}

/// A chain of joints, a metre apart.
Clip chain(std::vector<Track> tracks, double duration_seconds, double rate) {
    Clip clip;
    for (std::size_t node = 0; node < tracks.size(); ++node) {
        Node joint{"joint"};
        joint.parent = node == 0 ? std::nullopt : std::optional(node - 1);
        joint.rest_local.translation = {0, 0, node == 0 ? 0.0 : 1.0};
        clip.skeleton.nodes.push_back(joint);
    }
    clip.tracks = std::move(tracks);
    clip.duration_seconds = duration_seconds;
    clip.frames_per_second = rate;
    return clip;
}

/// Between keys, a track follows the chord: the largest distance of that from the swing.
double worst_degrees(const Track& track, const Swing& swing) {
    double worst = 0;
    for (std::size_t key = 0; key + 1 < track.key_count(); ++key) {
        for (const double share : {0.25, 0.5, 0.75}) {
            const double seconds = track.times[key] + share * (track.times[key + 1] - track.times[key]);
            const glm::dquat line =
                glm::normalize(track.rotation(key) * (1.0 - share) + track.rotation(key + 1) * share);
            worst = std::max(worst, angle_between_degrees(line, swing.at(seconds)));
        }
    }
    return worst;
}

}  // namespace

TEST_CASE("a recording has keys at its frames alone", "[frame-keys]") {
    const Swing swing{1.3, 2.0};
    const auto at_frames = frames(30.0, 61);
    // The file may give another rate.
    const double named = GENERATE(30.0, 24.0);
    Clip clip = chain({swing.keyed(0, with_more(at_frames, 900, 1)),
                       swing.keyed(1, with_more(at_frames, 50, 2)), swing.keyed(2, at_frames)},
                      2.0, named);
    const FrameKeys made = sample_at_frames(clip, Bends::sample);
    CHECK(made.frames_per_second == 30.0);
    CHECK(made.is_baked);
    CHECK(clip.frames_per_second == 30.0);
    for (const Track& track : clip.tracks) {
        REQUIRE(track.key_count() == at_frames.size());
        for (std::size_t key = 0; key < track.key_count(); ++key) {
            CHECK(std::abs(track.times[key] - at_frames[key]) < 1e-12);
            CHECK(angle_between_degrees(track.rotation(key), swing.at(at_frames[key])) < 1e-9);
        }
    }
    // Retargeting needs a key wherever any track has one: equal times must be the same number.
    CHECK(clip.tracks[0].times == clip.tracks[2].times);
}

TEST_CASE("the highest rate counts at which a source was recorded", "[frame-keys]") {
    const Swing swing{1.0, 1.0};
    Clip clip = chain({swing.keyed(0, with_more(frames(60.0, 121), 500, 3))}, 2.0, 30.0);
    CHECK(sample_at_frames(clip, Bends::sample).frames_per_second == 60.0);
    CHECK(clip.tracks[0].key_count() == 121);
}

TEST_CASE("curves with keys elsewhere are sampled as often as they need", "[frame-keys]") {
    // A chord of the swing is off by about (w h)^2 / 8 of its angle, w the circular frequency, h the step.
    const Swing swing{2.0, 0.5};
    Clip clip = chain({swing.keyed(0, with_more({0.0, 2.0}, 6000, 4))}, 2.0, 24.0);
    const FrameKeys made = sample_at_frames(clip, Bends::sample);
    CHECK_FALSE(made.is_baked);
    CHECK(clip.frames_per_second == 24.0);
    const double multiple = made.frames_per_second / 24.0;
    CHECK(multiple == std::round(multiple));
    CHECK(multiple > 1.0);
    const double worst = worst_degrees(clip.tracks[0], swing);
    CHECK(worst < 0.055);  // the source's own keys are lines too
    CHECK(std::abs(worst - made.max_rotation_error_degrees) < 0.005);
    // One multiple less would not be enough.
    const double below = made.frames_per_second - 24.0;
    const auto fewer = frames(below, static_cast<std::size_t>(2.0 * below) + 1);
    CHECK(worst_degrees(swing.keyed(0, fewer), swing) > 0.045);
}

TEST_CASE("what is too quick for 240 frames a second stays exact", "[frame-keys]") {
    const Swing swing{40.0, 2.0};
    Clip clip = chain({swing.keyed(0, frames(19999.0, 20000))}, 1.0, 50.0);
    const FrameKeys made = sample_at_frames(clip, Bends::sample);
    CHECK(made.frames_per_second == 0.0);
    CHECK(clip.tracks[0].key_count() == 20000);
}

TEST_CASE("tracks with fewer keys than frames stay as they are", "[frame-keys]") {
    const Swing swing{1.0, 1.0};
    Track few = swing.keyed(0, {0.013, 1.9});
    Track steps = swing.keyed(1, with_more(frames(30.0, 61), 300, 6));
    steps.interpolation.assign(steps.key_count(), Interpolation::step);
    Track numbers{2, Channel::translation};
    numbers.component = 1;
    for (const double seconds : with_more(frames(30.0, 61), 300, 7)) {
        numbers.add_key(seconds, std::array{seconds});
    }
    Clip clip = chain({few, steps, numbers, swing.keyed(3, with_more(frames(30.0, 61), 300, 8))}, 2.0, 30.0);
    CHECK(sample_at_frames(clip, Bends::sample).frames_per_second > 0.0);
    CHECK(clip.tracks[0].times == few.times);
    CHECK(clip.tracks[0].values == few.values);
    CHECK(clip.tracks[1].key_count() == steps.key_count());
    CHECK(clip.tracks[2].times == numbers.times);
    CHECK(clip.tracks[3].key_count() == 61);
}

TEST_CASE("a clip without denser tracks is not sampled", "[frame-keys]") {
    const Swing swing{1.0, 1.0};
    const Clip before = chain({swing.keyed(0, {0.013, 1.9})}, 2.0, 30.0);
    Clip clip = before;
    CHECK(sample_at_frames(clip, Bends::sample).frames_per_second == 0.0);
    CHECK(clip.tracks[0].times == before.tracks[0].times);
}

TEST_CASE("bends between few keys stay on request", "[frame-keys]") {
    Track bend{0, Channel::translation};
    bend.add_key(0.0, std::array{0.0, 0.0, 0.0});
    bend.add_key(1.0, std::array{1.0, 0.0, 0.0});
    bend.interpolation.assign(2, Interpolation::bezier);
    bend.handles.assign(6, {-1.0 / 3, 0.0, 1.0 / 3, 0.0});
    Clip kept = chain({bend}, 1.0, 30.0);
    CHECK(sample_at_frames(kept, Bends::keep).frames_per_second == 0.0);
    CHECK(kept.tracks[0].handles.size() == 6);
    Clip sampled = chain({bend}, 1.0, 30.0);
    CHECK(sample_at_frames(sampled, Bends::sample).frames_per_second >= 30.0);
    REQUIRE(sampled.tracks[0].handles.empty());
    // With these handles, the value is 3 t^2 - 2 t^3.
    for (std::size_t key = 0; key < sampled.tracks[0].key_count(); ++key) {
        const double t = sampled.tracks[0].times[key];
        CHECK(std::abs(sampled.tracks[0].translation(key).x - (3 * t * t - 2 * t * t * t)) < 1e-6);
    }
}

TEST_CASE("both keys of a jump stay", "[frame-keys]") {
    const Swing swing{1.0, 1.0};
    Track track = swing.keyed(0, with_more(frames(30.0, 31), 100, 9));
    Track jump{0, Channel::rotation};
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        const double seconds = track.times[key];
        const glm::dquat q = seconds < 0.5 ? track.rotation(key) : glm::dquat(0, 0, 0, 1);
        if (seconds >= 0.5 && jump.times.back() < 0.5) {
            const glm::dquat last = swing.at(0.5);
            jump.add_key(0.5 - 1e-6, std::array{last.w, last.x, last.y, last.z});
        }
        jump.add_key(seconds, std::array{q.w, q.x, q.y, q.z});
    }
    Clip clip = chain({jump}, 1.0, 30.0);
    CHECK(sample_at_frames(clip, Bends::sample).frames_per_second == 30.0);
    const Track& made = clip.tracks[0];
    CHECK(made.key_count() == 32);
    const auto before = std::find(made.times.begin(), made.times.end(), 0.5 - 1e-6);
    REQUIRE(before != made.times.end());
    const auto key = static_cast<std::size_t>(before - made.times.begin());
    CHECK(made.times[key + 1] == 0.5);
    CHECK(angle_between_degrees(made.rotation(key), swing.at(0.5)) < 1e-3);
    CHECK(angle_between_degrees(made.rotation(key + 1), glm::dquat(0, 0, 0, 1)) < 1e-9);
}

TEST_CASE("rates and lengths that no animation has are not sampled", "[frame-keys]") {
    const Swing swing{1.0, 1.0};
    for (const double rate : {1e-12, 1e-6, 1e17}) {
        Clip clip = chain({swing.keyed(0, with_more(frames(30.0, 31), 100, 9))}, 1.0, rate);
        CHECK(sample_at_frames(clip, Bends::sample).frames_per_second == 0.0);
        CHECK(clip.tracks[0].key_count() == 131);
    }
    Track bend{0, Channel::translation};
    bend.add_key(0.0, std::array{0.0, 0.0, 0.0});
    bend.add_key(1e9, std::array{1.0, 0.0, 0.0});
    bend.interpolation.assign(2, Interpolation::bezier);
    bend.handles.assign(6, {-1.0, 0.0, 1.0, 0.0});
    Clip years = chain({bend}, 1e9, 30.0);
    CHECK(sample_at_frames(years, Bends::sample).frames_per_second == 0.0);
}

TEST_CASE("both keys of a jump stay in a track that is not sampled, too", "[frame-keys]") {
    const Swing swing{1.0, 1.0};
    std::vector<Track> tracks;
    for (std::size_t node = 0; node < 10; ++node) {
        tracks.push_back(swing.keyed(node, with_more(frames(30.0, 31), 100, 9)));
    }
    Track jump{10, Channel::translation};
    for (const auto& [seconds, x] : {std::pair(0.0, 0.0), {0.5 - 1e-6, 0.0}, {0.5, 1.0}, {1.0, 1.0}}) {
        jump.add_key(seconds, std::array{x, 0.0, 0.0});
    }
    tracks.push_back(jump);
    Clip clip = chain(tracks, 1.0, 30.0);
    CHECK(sample_at_frames(clip, Bends::sample).frames_per_second == 30.0);
    const Track& made = clip.tracks[10];
    REQUIRE(made.key_count() == 4);
    CHECK(made.times[1] < made.times[2]);
    CHECK(made.translation(1).x == 0.0);
    CHECK(made.translation(2).x == 1.0);
}
