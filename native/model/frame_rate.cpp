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

/// Whether every key of the source stands at a frame.
bool fits(const Track& track, double frames_per_second) {
    constexpr double tolerated_frames = 1e-4;
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        const double frame = track.times[key] * frames_per_second;
        const bool is_inserted = !track.inserted.empty() && track.inserted[key];
        if (!is_inserted && std::abs(frame - std::round(frame)) > tolerated_frames) {
            return false;
        }
    }
    return true;
}

/// What the source says, or the lowest usual rate at which every key of it is a frame.
std::optional<double> rate_with_all_keys(const Clip& clip) {
    if (clip.frames_per_second > 0.0) {
        return clip.frames_per_second;
    }
    const auto* const found = std::find_if(usual_rates.begin(), usual_rates.end(), [&](double rate) {
        return std::all_of(clip.tracks.begin(), clip.tracks.end(),
                           [&](const Track& track) { return fits(track, rate); });
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
