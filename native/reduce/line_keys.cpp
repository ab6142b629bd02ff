// SPDX-License-Identifier: MIT
#include "reduce/line_keys.h"

#include <glm/geometric.hpp>
#include <utility>

namespace animbridge::reduce {

namespace {

/// How far a key is from the line between two others.
double error_of(const Track& track, std::size_t key, std::size_t first, std::size_t last) {
    const double length = track.times[last] - track.times[first];
    const double u = length > 0.0 ? (track.times[key] - track.times[first]) / length : 0.0;
    if (track.channel == Channel::rotation) {
        const glm::dquat line = track.rotation(first) * (1.0 - u) + track.rotation(last) * u;
        return angle_between_degrees(line, track.rotation(key));
    }
    const glm::dvec3 line = track.translation(first) * (1.0 - u) + track.translation(last) * u;
    return 1000.0 * glm::length(line - track.translation(key));
}

}  // namespace

std::vector<bool> needed_keys(const Track& track, double bound) {
    std::vector<bool> needed(track.key_count(), bound == 0.0);
    needed.front() = needed.back() = true;
    std::vector<std::pair<std::size_t, std::size_t>> waiting;
    if (bound > 0.0) {
        waiting.emplace_back(0, track.key_count() - 1);
    }
    while (!waiting.empty()) {
        const auto [first, last] = waiting.back();
        waiting.pop_back();
        std::size_t worst = first;
        double largest = bound;
        for (std::size_t key = first + 1; key < last; ++key) {
            const double error = error_of(track, key, first, last);
            if (error > largest) {
                largest = error;
                worst = key;
            }
        }
        if (worst != first) {
            needed[worst] = true;
            waiting.emplace_back(first, worst);
            waiting.emplace_back(worst, last);
        }
    }
    return needed;
}

Track without_needless_keys(const Track& track, double bound) {
    if (track.key_count() < 2) {
        return track;
    }
    const std::vector<bool> needed = needed_keys(track, bound);
    Track reduced{track.node, track.channel};
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        if (needed[key]) {
            reduced.add_key(track.times[key], track.value(key));
        }
    }
    return reduced;
}

}  // namespace animbridge::reduce
