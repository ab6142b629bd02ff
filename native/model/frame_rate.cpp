// SPDX-License-Identifier: MIT
#include "model/frame_rate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace animbridge {

namespace {

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

}  // namespace

double usual_rate_of(const Clip& clip) {
    if (clip.frames_per_second > 0.0) {
        return clip.frames_per_second;
    }
    constexpr std::array<double, 9> rates = {24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0};
    const auto* const found = std::find_if(rates.begin(), rates.end(), [&](double rate) {
        return std::all_of(clip.tracks.begin(), clip.tracks.end(),
                           [&](const Track& track) { return fits(track, rate); });
    });
    return found == rates.end() ? usual_rate : *found;
}

}  // namespace animbridge
