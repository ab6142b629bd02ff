// SPDX-License-Identifier: MIT
#include "model/frame_rate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace animbridge {

double usual_rate_of(const Clip& clip) {
    constexpr std::array<double, 9> rates = {24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0};
    constexpr double tolerated_frames = 1e-4;
    const auto* const found = std::find_if(rates.begin(), rates.end(), [&](double rate) {
        return std::all_of(clip.tracks.begin(), clip.tracks.end(), [&](const Track& track) {
            return std::all_of(track.times.begin(), track.times.end(), [&](double seconds) {
                const double frame = seconds * rate;
                return std::abs(frame - std::round(frame)) <= tolerated_frames;
            });
        });
    });
    return found == rates.end() ? usual_rate : *found;
}

}  // namespace animbridge
