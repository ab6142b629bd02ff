// SPDX-License-Identifier: MIT
// The rate at which a clip is sampled where its source says none.
#include <array>
#include <cstddef>
#include <random>
#include <vector>

#include "catch.h"
#include "model/clip/clip.h"

using namespace animbridge;

namespace {

/// When a recorder saw frames: about `rate` per second, each frame up to `jitter` of a frame off.
std::vector<double> frames_of_recorder(double rate, double jitter, std::size_t count, double start = 0.0) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> off(-jitter, jitter);
    std::vector<double> seconds{start};
    while (seconds.size() < count) {
        seconds.push_back(jitter > 0.0 ? seconds.back() + (1.0 + off(random)) / rate
                                       : start + static_cast<double>(seconds.size()) / rate);
    }
    return seconds;
}

/// Some joints that each have a key at one frame in `one_in`, in single precision like in files.
Clip reduced(const std::vector<double>& frames, unsigned one_in, std::size_t joints = 4) {
    std::mt19937 random(11);
    Clip clip;
    for (std::size_t joint = 0; joint < joints; ++joint) {
        clip.skeleton.nodes.push_back({"joint"});
        Track track{joint, Channel::translation};
        for (const double seconds : frames) {
            if (random() % one_in == 0) {
                track.add_key(static_cast<double>(static_cast<float>(seconds)), std::array{0.0, 0.0, 0.0});
            }
        }
        clip.tracks.push_back(track);
    }
    return clip;
}

}  // namespace

TEST_CASE("a clip's rate is that of its source, or of its own keys", "[frame-rate]") {
    Track track{0, Channel::translation};
    for (const double seconds : {0.0, 1.0 / 30, 2.0 / 30}) {
        track.add_key(seconds, std::array{0.0, 0.0, 0.0});
    }
    Clip clip{{{{"joint"}}}, {track}, {}, 2.0 / 30};
    CHECK(frame_rate_of(clip) == 30.0);
    // Inserted keys do not count.
    clip.tracks[0].add_key(2.5 / 30, std::array{0.0, 0.0, 0.0});
    CHECK(frame_rate_of(clip) == 60.0);
    clip.tracks[0].inserted = {false, false, false, true};
    CHECK(frame_rate_of(clip) == 30.0);
    clip.frames_per_second = 12.5;
    CHECK(frame_rate_of(clip) == 12.5);
}

TEST_CASE("a recording's rate is that of its recorder, however many keys were left out", "[frame-rate]") {
    for (const double rate : {60.0, 90.0}) {
        for (const unsigned one_in : {1U, 3U, 8U}) {
            CAPTURE(rate, one_in);
            CHECK(frame_rate_of(reduced(frames_of_recorder(rate, 0.12, 600), one_in)) == rate);
        }
    }
    // Few keys of a slow motion: a sampled file still has 30 frames per second.
    CHECK(frame_rate_of(reduced(frames_of_recorder(7.0, 0.1, 100), 1)) == 30.0);
}

TEST_CASE("an even recording has a rate at whose frames all its keys stand", "[frame-rate]") {
    // After ten minutes, single precision has steps of 0.002 frames.
    CHECK(frame_rate_of(reduced(frames_of_recorder(60.0, 0.0, 600, 600.0), 3)) == 60.0);
    CHECK(frame_rate_of(reduced(frames_of_recorder(72.0, 0.0, 600), 3)) == 72.0);
    CHECK(frame_rate_of(reduced(frames_of_recorder(144.0, 0.0, 600, 30.0), 6)) == 144.0);
}

TEST_CASE("what is inserted and what moves no joint says nothing about the rate", "[frame-rate]") {
    Clip clip = reduced(frames_of_recorder(60.0, 0.12, 300), 3);
    const std::vector<double> dense = frames_of_recorder(240.0, 0.12, 900);
    Track added{0, Channel::rotation};
    Track shown{0, Channel::property};
    for (const double seconds : dense) {
        added.add_key(seconds, std::array{1.0, 0.0, 0.0, 0.0});
        shown.add_key(seconds, std::array{1.0});
    }
    added.inserted.assign(dense.size(), true);
    clip.tracks.insert(clip.tracks.end(), {added, shown});
    CHECK(frame_rate_of(clip) == 60.0);
}
