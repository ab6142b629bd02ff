// SPDX-License-Identifier: MIT
// Keys that lines do not need: the rest must stay within the bound.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "catch.h"
#include "model/clip/clip.h"
#include "reduce/reduce.h"

using namespace animbridge;

namespace {

constexpr std::size_t many_keys = 300;

/// A joint that swings, with a jerk in the middle, at uneven times.
Track swinging(Channel channel) {
    Track track{0, channel};
    double seconds = 0;
    for (std::size_t key = 0; key < many_keys; ++key) {
        const double angle = 1.2 * std::sin(2.1 * seconds) + (key > many_keys / 2 ? 0.3 : 0.0);
        if (channel == Channel::rotation) {
            track.add_key(seconds, std::array{std::cos(angle / 2), 0.6 * std::sin(angle / 2),
                                              0.8 * std::sin(angle / 2), 0.0});
        } else {
            track.add_key(seconds, std::array{0.3 * std::sin(angle), 0.3 * std::cos(angle), seconds / 10});
        }
        seconds += key % 3 == 0 ? 0.025 : 0.011;
    }
    return track;
}

Clip clip_with(const Track& track) {
    Clip clip;
    clip.skeleton.nodes = {{"L_Wrist"}};
    clip.tracks = {track};
    clip.duration_seconds = track.times.back();
    return clip;
}

/// The largest error at the keys of the whole track, in mm or degrees.
double largest_error(const Track& whole, const Track& reduced) {
    const Clip clip = clip_with(reduced);
    ClipPoser poser(clip);
    double largest = 0;
    for (std::size_t key = 0; key < whole.key_count(); ++key) {
        poser.pose(whole.times[key]);
        const Transform& shown = poser.world()[0];
        largest = std::max(largest, whole.channel == Channel::rotation
                                        ? angle_between_degrees(shown.rotation, whole.rotation(key))
                                        : 1000.0 * glm::length(shown.translation - whole.translation(key)));
    }
    return largest;
}

}  // namespace

TEST_CASE("what stays shows every dropped key within the bound", "[mrtk-drop-keys]") {
    for (const Channel channel : {Channel::translation, Channel::rotation}) {
        const Track whole = swinging(channel);
        std::size_t fewer = whole.key_count();
        for (const double bound : {0.1, 1.0, 10.0}) {
            INFO(bound);
            const Track reduced = reduce::without_needless_keys(whole, bound);
            // The bound itself is met in the same arithmetic, up to the last bits.
            CHECK(largest_error(whole, reduced) <= bound + 1e-9);
            CHECK(reduced.key_count() < fewer);
            fewer = reduced.key_count();
            CHECK(reduced.times.front() == whole.times.front());
            CHECK(reduced.times.back() == whole.times.back());
            for (std::size_t key = 0; key < reduced.key_count(); ++key) {
                const auto same = std::find(whole.times.begin(), whole.times.end(), reduced.times[key]);
                REQUIRE(same != whole.times.end());
                const auto row = whole.value(static_cast<std::size_t>(same - whole.times.begin()));
                CHECK(std::equal(row.begin(), row.end(), reduced.value(key).begin()));
            }
        }
    }
}

TEST_CASE("a bound of 0 keeps every key, and a straight line needs two", "[mrtk-drop-keys]") {
    const Track whole = swinging(Channel::translation);
    CHECK(reduce::without_needless_keys(whole, 0.0).times == whole.times);
    Track line{0, Channel::translation};
    for (int key = 0; key < 9; ++key) {
        line.add_key(0.25 * key, std::array{0.5 * key, 1.0, -0.125 * key});
    }
    const std::vector<bool> needed = reduce::needed_keys(line, 1e-6);
    CHECK(std::count(needed.begin(), needed.end(), true) == 2);
    CHECK((needed.front() && needed.back()));
    Track one{0, Channel::translation};
    one.add_key(0.5, std::array{1.0, 2.0, 3.0});
    CHECK(reduce::without_needless_keys(one, 1.0).times == one.times);
}
