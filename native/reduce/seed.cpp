// SPDX-License-Identifier: MIT
#include "reduce/seed.h"

#include <algorithm>

#include "model/chord.h"

namespace animbridge::reduce {

namespace {

/// What the track plays at the times with all its keys: the wanted values, if there are no others.
template <typename Value, typename Between>
std::vector<Value> played_by_all(const KeyTrack& track, const std::vector<float>& times, Between&& between) {
    std::vector<Value> values;
    values.reserve(times.size());
    std::size_t right = 0;
    for (const float seconds : times) {
        while (right + 1 < track.size() && track.times[right] < seconds) {
            ++right;
        }
        const bool inside = right > 0 && track.times[right] > seconds;
        values.push_back(between({inside ? right - 1 : right, right}, seconds));
    }
    return values;
}

/// Chooses the keys of one track by growing each segment as far as the tolerance allows.
template <typename Value, typename Between, typename Distance>
class Grower {
public:
    Grower(const KeyTrack& track, const std::vector<float>& times, const std::vector<Value>& wanted,
           double tolerance, Between between, Distance distance)
        : track_(track),
          times_(times),
          wanted_(wanted),
          tolerance_(tolerance),
          between_(between),
          distance_(distance),
          first_time_(track.size() + 1, times.size()) {
        std::size_t time = 0;
        for (std::size_t key = 0; key < track.size(); ++key) {
            while (time < times.size() && times[time] < track.times[key]) {
                ++time;
            }
            first_time_[key] = time;
        }
    }

    Kept grow() {
        Kept kept(track_.size(), 0);
        kept[0] = 1;
        if (holds_from(0)) {
            return kept;
        }
        const std::size_t last = track_.size() - 1;
        for (std::size_t key = 0; key < last;) {
            const std::size_t next = furthest_from(key);
            // Tested only here: otherwise a track that misses only at its end would make every key test all
            // later times.
            if (next == last && holds_from(key)) {
                break;
            }
            key = next;
            kept[key] = 1;
        }
        return kept;
    }

    [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }

private:
    /// Whether the track can hold this key to the end.
    bool holds_from(std::size_t key) {
        for (std::size_t i = first_time_[key]; i < times_.size(); ++i) {
            if (!fits(key, key, i)) {
                return false;
            }
        }
        return true;
    }

    bool bridges(std::size_t left, std::size_t right) {
        for (std::size_t i = first_time_[left]; i < times_.size() && times_[i] <= track_.times[right]; ++i) {
            if (!fits(left, right, i)) {
                return false;
            }
        }
        return true;
    }

    bool fits(std::size_t left, std::size_t right, std::size_t time) {
        ++evaluations_;
        return distance_(between_({left, right}, times_[time]), wanted_[time]) <= tolerance_;
    }

    /// Doubles the step while the segment holds, then bisects. So the cost grows with the length found, not
    /// with the rest of the track.
    std::size_t furthest_from(std::size_t key) {
        const std::size_t last = track_.size() - 1;
        std::size_t good = key + 1;
        std::size_t step = 2;
        std::size_t bad = last + 1;
        while (good < last) {
            const std::size_t next = std::min(key + step, last);
            if (!bridges(key, next)) {
                bad = next;
                break;
            }
            good = next;
            step *= 2;
        }
        while (good + 1 < bad) {
            const std::size_t middle = good + (bad - good) / 2;
            (bridges(key, middle) ? good : bad) = middle;
        }
        return good;
    }

    const KeyTrack& track_;
    const std::vector<float>& times_;
    const std::vector<Value>& wanted_;
    double tolerance_;
    Between between_;
    Distance distance_;
    std::vector<std::size_t> first_time_;  ///< per key: index of the first time at or after it
    std::uint64_t evaluations_ = 0;
};

template <typename Value, typename Between, typename Distance>
Kept choose(const KeyTrack& track, const std::vector<float>& times, const std::vector<Value>& given,
            double tolerance, Between between, Distance distance, std::uint64_t& evaluations) {
    const std::vector<Value> played =
        given.empty() ? played_by_all<Value>(track, times, between) : std::vector<Value>();
    Grower<Value, Between, Distance> grower(track, times, given.empty() ? played : given, tolerance, between,
                                            distance);
    Kept kept = grower.grow();
    evaluations += grower.evaluations();
    return kept;
}

}  // namespace

Kept choose_keys(const Motion& motion, std::size_t track, const std::vector<float>& times, double tolerance,
                 std::uint64_t& evaluations) {
    const KeyTrack& keys = motion.tracks[track];
    if (keys.channel == Channel::rotation) {
        const auto between = [&](const Bracket& beside, float seconds) {
            return motion.playback.rotation(track, beside, seconds);
        };
        return choose(keys, times, keys.wanted_rotations, tolerance, between, chord, evaluations);
    }
    const auto between = [&](const Bracket& beside, float seconds) {
        return motion.playback.translation(track, beside, seconds);
    };
    const auto distance = [](const glm::dvec3& a, const glm::dvec3& b) { return glm::length(a - b); };
    return choose(keys, times, keys.wanted_translations, tolerance, between, distance, evaluations);
}

}  // namespace animbridge::reduce
