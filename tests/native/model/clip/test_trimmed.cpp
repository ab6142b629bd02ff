// SPDX-License-Identifier: MIT
// A part of a clip shows what the whole shows there; and which texts name a part.
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>

#include "base/options/options.h"
#include "catch.h"
#include "model/clip/clip.h"

using namespace animbridge;

namespace {

/// A track of random keys of one kind.
Track random_track(Channel channel, Interpolation kind, std::mt19937& random) {
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    Track track{0, channel};
    const std::size_t width = track.width();
    for (std::size_t key = 0; key < 9; ++key) {
        track.times.push_back(0.3 * static_cast<double>(key) + 0.1 * number(random));
        for (std::size_t i = 0; i < width; ++i) {
            track.values.push_back(number(random));
        }
    }
    track.interpolation.assign(track.key_count(), kind);
    for (std::size_t i = 0; kind == Interpolation::bezier && i < track.values.size(); ++i) {
        track.handles.push_back({-0.023 * (number(random) + 1.1), number(random),
                                 0.023 * (number(random) + 1.1), number(random)});
    }
    return track;
}

}  // namespace

TEST_CASE("a part of a track is what the whole shows there", "[trim]") {
    std::mt19937 random(3);
    const auto kind = GENERATE(Interpolation::step, Interpolation::linear, Interpolation::bezier);
    const auto channel = GENERATE(Channel::translation, Channel::property);
    for (int round = 0; round < 50; ++round) {
        Clip clip;
        clip.skeleton.nodes.push_back({"joint"});
        clip.duration_seconds = 2.4;
        clip.tracks.push_back(random_track(channel, kind, random));
        std::uniform_real_distribution<double> when(0.0, 1.2);
        const double start = when(random);
        const double end = start + 0.05 + when(random);
        const Clip part = trimmed(clip, start, end);
        CHECK(part.duration_seconds == end - start);
        const Track& track = part.tracks[0];
        CHECK(track.values.size() == track.key_count() * track.width());
        CHECK(track.interpolation.size() == track.key_count());
        CHECK(track.handles.size() == (kind == Interpolation::bezier ? track.values.size() : 0));
        for (int step = 1; step < 40; ++step) {
            const double seconds = (end - start) * step / 40.0;
            for (std::size_t number = 0; number < track.width(); ++number) {
                const double wanted = evaluate(clip.tracks[0], start + seconds, number);
                CHECK(std::abs(evaluate(track, seconds, number) - wanted) < 1e-9);
            }
        }
    }
}

TEST_CASE("keys that survive a cut keep their bits", "[trim]") {
    std::mt19937 random(5);
    Clip clip;
    clip.skeleton.nodes.push_back({"joint"});
    clip.duration_seconds = 2.4;
    clip.tracks.push_back(random_track(Channel::translation, Interpolation::linear, random));
    const Track& whole = clip.tracks[0];
    // At existing keys, a cut adds none.
    const Clip part = trimmed(clip, whole.times[2], whole.times[6]);
    REQUIRE(part.tracks[0].key_count() == 5);
    for (std::size_t key = 0; key < 5; ++key) {
        for (std::size_t number = 0; number < 3; ++number) {
            CHECK(part.tracks[0].value(key)[number] == whole.value(key + 2)[number]);
        }
    }
}

TEST_CASE("a part beyond all keys holds the nearest one", "[trim]") {
    Clip clip;
    clip.skeleton.nodes.push_back({"joint"});
    clip.duration_seconds = 10.0;
    Track track{0, Channel::translation};
    track.add_key(1.0, std::array{1.0, 2.0, 3.0});
    track.add_key(2.0, std::array{4.0, 5.0, 6.0});
    clip.tracks.push_back(track);
    clip.markers.push_back({"loop_in", 1.5});
    const Clip later = trimmed(clip, 5.0, 6.0);
    REQUIRE(later.tracks[0].key_count() == 1);
    CHECK(later.tracks[0].translation(0) == glm::dvec3(4, 5, 6));
    CHECK(later.markers[0].time_seconds == 0.0);
    const Clip earlier = trimmed(clip, 0.0, 0.5);
    REQUIRE(earlier.tracks[0].key_count() == 1);
    CHECK(earlier.tracks[0].translation(0) == glm::dvec3(1, 2, 3));
    CHECK(earlier.markers[0].time_seconds == 0.5);
}

TEST_CASE("texts that name a part", "[trim]") {
    const auto span = [](const std::string& text) {
        const auto trim = trim_from(text);
        REQUIRE(trim);
        const auto found = trim->in(20.0, 30.0);
        REQUIRE(found);
        return std::array{found->start_seconds, found->end_seconds};
    };
    CHECK(span("2:14.5") == std::array{2.0, 14.5});
    CHECK(span("2s:14.5s") == std::array{2.0, 14.5});
    CHECK(span("60f:435f") == std::array{2.0, 14.5});
    CHECK(span("10%:90%") == std::array{2.0, 18.0});
    CHECK(span("2:") == std::array{2.0, 20.0});
    CHECK(span(":90%") == std::array{0.0, 18.0});
    // The last frame of a file whose times were rounded.
    CHECK(span("0:20.000001") == std::array{0.0, 20.0});
    for (const char* text : {"", ":", "2", "a:", "2:b", "-1:2", "1:2:3", "101%:", "nan:1", "inf:", "1 :2"}) {
        CAPTURE(text);
        CHECK_FALSE(trim_from(text));
    }
    CHECK_FALSE(trim_from("2f:")->in(20.0, 0.0));
    CHECK_FALSE(trim_from("2:21")->in(20.0, 30.0));
    CHECK(span("5:5") == std::array{5.0, 5.0});  // one pose
}
