// SPDX-License-Identifier: MIT
#include "model/frame_rate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace animbridge {

namespace {

constexpr std::array<double, 9> usual_rates = {24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0};

std::optional<double> rate_with_all_keys(const Clip& clip) {
    constexpr double tolerated_frames = 1e-4;
    const auto* const found = std::find_if(usual_rates.begin(), usual_rates.end(), [&](double rate) {
        return std::all_of(clip.tracks.begin(), clip.tracks.end(), [&](const Track& track) {
            return std::all_of(track.times.begin(), track.times.end(), [&](double seconds) {
                const double frame = seconds * rate;
                return std::abs(frame - std::round(frame)) <= tolerated_frames;
            });
        });
    });
    return found == usual_rates.end() ? std::nullopt : std::optional(*found);
}

/// The times between neighbouring keys of each track that moves a node. Shorter ones are jumps.
std::vector<double> key_gaps(const Clip& clip) {
    constexpr double shortest = 1e-3;
    std::vector<double> gaps;
    for (const Track& track : clip.tracks) {
        for (std::size_t i = 1; track.channel != Channel::property && i < track.key_count(); ++i) {
            const double gap = track.times[i] - track.times[i - 1];
            if (gap >= shortest) {
                gaps.push_back(gap);
            }
        }
    }
    return gaps;
}

}  // namespace

double usual_rate_of(const Clip& clip) { return rate_with_all_keys(clip).value_or(usual_rate); }

double sampling_rate_of(const Clip& clip) {
    if (const auto rate = rate_with_all_keys(clip)) {
        return *rate;
    }
    std::vector<double> gaps = key_gaps(clip);
    if (gaps.empty()) {
        return usual_rate;
    }
    const auto tenth = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 10);
    std::nth_element(gaps.begin(), tenth, gaps.end());
    const double rate = 1.0 / *tenth;
    const auto* const nearest =
        std::min_element(usual_rates.begin(), usual_rates.end(),
                         [&](double a, double b) { return std::abs(a - rate) < std::abs(b - rate); });
    return std::max(usual_rate, *nearest);
}

}  // namespace animbridge
