// SPDX-License-Identifier: MIT
#include "model/trimmed.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/track_cursor.h"

namespace animbridge {

namespace {

/// Keys this close to a cut are at it.
constexpr double same_seconds = 1e-9;

/// What the track shows at a time between two keys, number by number. Rotations of whole rows follow the
/// chord and are then normalised, except on bends, whose numbers are separate curves.
std::vector<double> row_at(const Track& track, std::size_t left, double seconds) {
    std::vector<double> row;
    if (track.channel == Channel::rotation && !track.component &&
        track.interpolation_after(left) == Interpolation::linear) {
        const glm::dquat q = TrackCursor(track).rotation_at(seconds);
        return {q.w, q.x, q.y, q.z};
    }
    for (std::size_t number = 0; number < track.width(); ++number) {
        row.push_back(evaluate(track, seconds, number));
    }
    return row;
}

/// Adds a key that does not change the curve.
void split_at(Track& track, double seconds) {
    const auto right = std::lower_bound(track.times.begin(), track.times.end(), seconds - same_seconds);
    if (right == track.times.begin() || right == track.times.end() || *right <= seconds + same_seconds) {
        return;  // outside the keys the value is held, and a key at the cut is enough
    }
    const auto index = right - track.times.begin();
    const auto left = static_cast<std::size_t>(index) - 1;
    const std::size_t width = track.width();
    std::vector<double> row = row_at(track, left, seconds);
    if (!track.handles.empty()) {
        std::vector<Handles> cut(width);
        if (track.interpolation_after(left) == Interpolation::bezier) {
            for (std::size_t number = 0; number < width; ++number) {
                const SplitBezier split = split_bezier(track, left, seconds, number);
                Handles& before = track.handles[left * width + number];
                before.out_time = split.start.out_time;
                before.out_value = split.start.out_value;
                Handles& after = track.handles[(left + 1) * width + number];
                after.in_time = split.end.in_time;
                after.in_value = split.end.in_value;
                cut[number] = split.cut;
            }
        }
        track.handles.insert(track.handles.begin() + index * static_cast<std::ptrdiff_t>(width), cut.begin(),
                             cut.end());
    }
    if (!track.interpolation.empty()) {
        track.interpolation.insert(track.interpolation.begin() + index, track.interpolation[left]);
    }
    track.inserted.resize(track.key_count());
    track.inserted.insert(track.inserted.begin() + index, true);
    track.values.insert(track.values.begin() + index * static_cast<std::ptrdiff_t>(width), row.begin(),
                        row.end());
    track.times.insert(right, seconds);
}

/// The items of the keys from `first` to before `last`.
template <typename List>
void keep(List& list, std::size_t first, std::size_t last, std::size_t width) {
    if (!list.empty()) {
        const auto begin = list.begin();
        list = List(begin + static_cast<std::ptrdiff_t>(first * width),
                    begin + static_cast<std::ptrdiff_t>(last * width));
    }
}

Track trimmed(Track track, double start_seconds, double end_seconds) {
    if (track.times.empty()) {
        return track;
    }
    split_at(track, start_seconds);
    split_at(track, end_seconds);
    auto first = static_cast<std::size_t>(
        std::lower_bound(track.times.begin(), track.times.end(), start_seconds - same_seconds) -
        track.times.begin());
    auto last = static_cast<std::size_t>(
        std::upper_bound(track.times.begin(), track.times.end(), end_seconds + same_seconds) -
        track.times.begin());
    // If all keys are on one side, the nearest one is held.
    first = std::min(first, track.key_count() - 1);
    last = std::max(last, first + 1);
    keep(track.values, first, last, track.width());
    keep(track.handles, first, last, track.width());
    keep(track.interpolation, first, last, 1);
    keep(track.inserted, first, last, 1);
    keep(track.times, first, last, 1);
    for (double& time : track.times) {
        time = std::clamp(time - start_seconds, 0.0, end_seconds - start_seconds);
    }
    return track;
}

}  // namespace

Clip trimmed(Clip clip, double start_seconds, double end_seconds) {
    for (Track& track : clip.tracks) {
        track = trimmed(std::move(track), start_seconds, end_seconds);
    }
    clip.duration_seconds = end_seconds - start_seconds;
    for (Marker& marker : clip.markers) {
        marker.time_seconds = std::clamp(marker.time_seconds - start_seconds, 0.0, clip.duration_seconds);
    }
    return clip;
}

}  // namespace animbridge
