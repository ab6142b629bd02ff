// SPDX-License-Identifier: MIT
#include "model/jumps.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "model/comparison.h"

namespace animbridge {

namespace {

/// Whether the next key shows something else. A quaternion and its negative are the same rotation.
bool changes_after(const Track& track, std::size_t key) {
    const auto here = track.value(key);
    const auto next = track.value(key + 1);
    if (std::equal(here.begin(), here.end(), next.begin())) {
        return false;
    }
    return track.channel != Channel::rotation || track.component ||
           !std::equal(here.begin(), here.end(), next.begin(), [](double a, double b) { return a == -b; });
}

}  // namespace

std::vector<double> jump_times(const Clip& clip, double shortest_seconds) {
    std::vector<double> times;
    for (const Track& track : clip.tracks) {
        if (track.channel == Channel::property) {
            continue;
        }
        for (std::size_t key = 0; key + 1 < track.key_count(); ++key) {
            const bool is_sudden = track.interpolation_after(key) == Interpolation::step ||
                                   track.times[key + 1] - track.times[key] <= shortest_seconds;
            if (is_sudden && changes_after(track, key)) {
                times.push_back(track.times[key + 1]);
            }
        }
    }
    return sorted_unique(std::move(times));
}

}  // namespace animbridge
