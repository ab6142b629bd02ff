// SPDX-License-Identifier: MIT
#include "model/between_keys.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace animbridge {

namespace {

constexpr int looks_per_segment = 16;
constexpr std::size_t most_between = 8;

/// The distance of times that files cannot distinguish: a few steps of single precision.
double too_close(double seconds) { return 4e-7 * std::max(1.0, std::abs(seconds)); }

struct Peak {
    double at = 0;
    double height = 0;
};

/// Looks for a higher place on one side of the peak, at quarters of the way to `reach` from it.
template <typename Measure>
Peak higher(const Peak& peak, double reach, const Measure& measure) {
    Peak best = peak;
    for (const double share : {0.25, 0.5, 0.75}) {
        const double seconds = peak.at + share * reach;
        if (std::abs(seconds - peak.at) < too_close(peak.at)) {
            continue;
        }
        if (const double height = measure(seconds); height > best.height) {
            best = {seconds, height};
        }
    }
    return best;
}

/// Narrows down where the difference is largest: each round uses a quarter of the previous distance.
template <typename Measure>
void climb(const std::vector<double>& times, double from, const Measure& measure) {
    const auto at = std::lower_bound(times.begin(), times.end(), from);
    if (at == times.end() || *at != from) {
        return;
    }
    Peak peak{from, measure(from)};
    double before = at == times.begin() ? 0.0 : *(at - 1) - from;
    double after = at + 1 == times.end() ? 0.0 : *(at + 1) - from;
    constexpr int rounds = 7;
    for (int round = 0; round < rounds; ++round) {
        const Peak left = higher(peak, before, measure);
        const Peak right = higher(peak, after, measure);
        if (right.height > left.height) {
            peak = right;
            before = -after;
        } else if (left.height > peak.height) {
            peak = left;
            after = -before;
        }
        before /= 4.0;
        after /= 4.0;
    }
}

}  // namespace

void add_bend_times(const Track& track, std::vector<double>& times) {
    for (std::size_t key = 0; key + 1 < track.key_count(); ++key) {
        const double length = track.times[key + 1] - track.times[key];
        if (track.interpolation_after(key) != Interpolation::bezier || !(length > 0.0)) {
            continue;
        }
        for (std::size_t number = 0; number < track.width(); ++number) {
            const Handles& out = track.handles[key * track.width() + number];
            const Handles& in = track.handles[(key + 1) * track.width() + number];
            const double x1 = std::clamp(out.out_time, 0.0, length);
            const double x2 = length - std::clamp(-in.in_time, 0.0, length);
            for (int look = 1; look < looks_per_segment; ++look) {
                const double u = static_cast<double>(look) / looks_per_segment;
                const double v = 1.0 - u;
                times.push_back(track.times[key] + 3.0 * v * v * u * x1 + 3.0 * v * u * u * x2 +
                                u * u * u * length);
            }
        }
    }
}

std::vector<double> with_bends(const std::vector<double>& times, std::vector<double> bends) {
    std::sort(bends.begin(), bends.end());
    std::vector<double> all;
    std::vector<double> between;
    auto bend = bends.begin();
    for (std::size_t i = 0; i < times.size(); ++i) {
        all.push_back(times[i]);
        const double close = too_close(times[i]);
        const double end = i + 1 < times.size() ? times[i + 1] - close : times[i];
        bend = std::lower_bound(bend, bends.end(), times[i] + close);
        between.clear();
        for (; bend != bends.end() && *bend < end; ++bend) {
            if (between.empty() || *bend > between.back()) {
                between.push_back(*bend);
            }
        }
        const std::size_t count = std::min(between.size(), most_between);
        for (std::size_t one = 0; one < count; ++one) {
            all.push_back(between[(2 * one + 1) * between.size() / (2 * count)]);
        }
    }
    return all;
}

void widen_nearby(const std::vector<double>& times, const std::function<Difference(double seconds)>& at,
                  JointDifference& found) {
    const double position_at = found.position_at_seconds;
    const double rotation_at = found.rotation_at_seconds;
    const auto look = [&](double seconds) {
        // Rounding errors are not a reason to report another time.
        constexpr double larger = 1.0 - 1e-9;
        const Difference difference = at(seconds);
        found.widen(larger * difference.millimetres, larger * difference.degrees, seconds);
        return difference;
    };
    if (found.position_mm > 0.0) {
        climb(times, position_at, [&](double seconds) { return look(seconds).millimetres; });
    }
    if (found.rotation_degrees > 0.0) {
        climb(times, rotation_at, [&](double seconds) { return look(seconds).degrees; });
    }
}

}  // namespace animbridge
