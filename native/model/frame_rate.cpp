// SPDX-License-Identifier: MIT
#include "model/frame_rate.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace animbridge {

namespace {

bool is_inserted(const Track& track, std::size_t key) {
    return !track.inserted.empty() && track.inserted[key];
}

/// Whether every key of the source is at a frame.
bool fits(const Track& track, double frames_per_second) {
    constexpr double tolerated_frames = 1e-4;
    constexpr double single_precision = 1.2e-7;  // times in files: those of a minute are 4 microseconds apart
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        const double frame = track.times[key] * frames_per_second;
        const double tolerated = tolerated_frames + single_precision * std::abs(frame);
        if (!is_inserted(track, key) && std::abs(frame - std::round(frame)) > tolerated) {
            return false;
        }
    }
    return true;
}

bool fits(const Clip& clip, double frames_per_second) {
    return std::all_of(clip.tracks.begin(), clip.tracks.end(),
                       [&](const Track& track) { return fits(track, frames_per_second); });
}

/// The gaps between neighbouring keys of the source that move a node. Keys closer than `shortest` count as
/// one: jumps, and rounded times.
std::vector<double> key_gaps(const Clip& clip) {
    constexpr double shortest = 1e-3;
    std::vector<double> times;
    for (const Track& track : clip.tracks) {
        for (std::size_t key = 0; track.channel != Channel::property && key < track.key_count(); ++key) {
            if (!is_inserted(track, key)) {
                times.push_back(track.times[key]);
            }
        }
    }
    std::sort(times.begin(), times.end());
    std::vector<double> gaps;
    for (std::size_t i = 1, last = 0; i < times.size(); ++i) {
        if (const double gap = times[i] - times[last]; gap >= shortest) {
            gaps.push_back(gap);
            last = i;
        }
    }
    return gaps;
}

/// The distance of frames, of which each gap is one or several: the most common among the shortest gaps.
double step_of(std::vector<double> gaps) {
    constexpr double of_one_frame = 1.5;
    std::sort(gaps.begin(), gaps.end());
    const double short_one = gaps[gaps.size() / 10];  // a few may be shorter than frames
    const auto end = std::upper_bound(gaps.begin(), gaps.end(), of_one_frame * short_one);
    return gaps[static_cast<std::size_t>(end - gaps.begin()) / 2];
}

}  // namespace

double frame_rate_of(const Clip& clip) {
    if (clip.frames_per_second > 0.0) {
        return clip.frames_per_second;
    }
    const auto* const fitting =
        std::find_if(usual_rates.begin(), usual_rates.end(), [&](double rate) { return fits(clip, rate); });
    if (fitting != usual_rates.end()) {
        return *fitting;
    }
    const std::vector<double> gaps = key_gaps(clip);
    if (gaps.empty()) {
        return usual_rate;
    }
    const double rate = 1.0 / step_of(gaps);
    if (rate > usual_rate && fits(clip, std::round(rate))) {
        return std::round(rate);
    }
    const auto* const nearest = std::min_element(
        usual_rates.begin(), usual_rates.end(),
        [&](double a, double b) { return std::abs(std::log(a / rate)) < std::abs(std::log(b / rate)); });
    return std::max(usual_rate, *nearest);
}

}  // namespace animbridge
