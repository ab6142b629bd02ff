// SPDX-License-Identifier: MIT
// A poser keeps what it made of the last keys: times in any order give the poses that the keys say.
#include <algorithm>
#include <array>
#include <cmath>

#include "catch.h"
#include "model/clip/clip.h"

using namespace animbridge;

namespace {

constexpr std::size_t keys = 6;

/// Keys a second apart, off unit length, with a flipped sign.
std::array<double, 4> key_row(std::size_t key) {
    const double half = 0.2 * static_cast<double>(key * key);
    const double length = (key == 3 ? -1.0 : 1.0) * (1.0 + 0.25 * static_cast<double>(key));
    return {length * std::cos(half), 0.0, length * std::sin(half), 0.0};
}

Clip turning_clip() {
    Clip clip;
    clip.skeleton.nodes = {{"hips"}};
    Track track{0, Channel::rotation};
    for (std::size_t key = 0; key < keys; ++key) {
        track.add_key(static_cast<double>(key), key_row(key));
    }
    clip.tracks.push_back(std::move(track));
    return clip;
}

std::array<double, 2> unit(double w, double y) {
    const double length = std::sqrt(w * w + y * y);
    return {w / length, y / length};
}

/// w and y by rotation_at: lerped along the shorter path between unit rotations, and normalised.
std::array<double, 2> expected_at(double time) {
    const auto key = static_cast<std::size_t>(std::clamp(std::floor(time), 0.0, double{keys - 1}));
    const auto row = key_row(key);
    const auto a = unit(row[0], row[2]);
    if (time <= 0.0 || key + 1 == keys) {
        return a;
    }
    const auto next = key_row(key + 1);
    const auto b = unit(next[0], next[2]);
    const double sign = a[0] * b[0] + a[1] * b[1] < 0.0 ? -1.0 : 1.0;
    const double share = time - static_cast<double>(key);
    return unit(a[0] * (1.0 - share) + sign * b[0] * share, a[1] * (1.0 - share) + sign * b[1] * share);
}

}  // namespace

TEST_CASE("times in any order give the poses that the keys say", "[model]") {
    const Clip clip = turning_clip();
    ClipPoser poser(clip);
    for (const double time : {0.0, 0.5,  1.0, 1.5, 2.0,  3.0,  3.25, 3.75, 4.5,  1.5,
                              2.5, 0.25, 5.0, 7.0, 4.75, -1.0, 2.0,  1.0,  1.25, 3.5}) {
        INFO(time);
        poser.pose(time);
        const auto expected = expected_at(time);
        const glm::dquat& rotation = poser.local()[0].rotation;
        CHECK(std::abs(rotation.w - expected[0]) < 1e-14);
        CHECK(std::abs(rotation.y - expected[1]) < 1e-14);
    }
}
