// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "editing/clip_tools.h"
#include "rig/exchange/exchange.h"

namespace animbridge::editing {

namespace {

/// Straight lines through pairs, with slope 1 outside them.
class TimeMap {
public:
    explicit TimeMap(std::span<const TimePair> pairs) : pairs_(pairs) {}

    [[nodiscard]] double of(double seconds) const {
        if (seconds <= pairs_.front().old_seconds) {
            return seconds - pairs_.front().old_seconds + pairs_.front().new_seconds;
        }
        if (seconds >= pairs_.back().old_seconds) {
            return seconds - pairs_.back().old_seconds + pairs_.back().new_seconds;
        }
        const std::size_t piece = piece_after(seconds);
        const TimePair& start = pairs_[piece];
        return start.new_seconds + (seconds - start.old_seconds) * slope(piece);
    }
    /// New seconds for an old second, just before and just after a time.
    [[nodiscard]] double slope_before(double seconds) const {
        return seconds <= pairs_.front().old_seconds || seconds > pairs_.back().old_seconds
                   ? 1.0
                   : slope(static_cast<std::size_t>(
                               std::ranges::lower_bound(pairs_, seconds, {}, &TimePair::old_seconds) -
                               pairs_.begin()) -
                           1);
    }
    [[nodiscard]] double slope_after(double seconds) const {
        return seconds < pairs_.front().old_seconds || seconds >= pairs_.back().old_seconds
                   ? 1.0
                   : slope(piece_after(seconds));
    }

private:
    [[nodiscard]] std::size_t piece_after(double seconds) const {
        const auto next = std::ranges::upper_bound(pairs_, seconds, {}, &TimePair::old_seconds);
        return static_cast<std::size_t>(next - pairs_.begin()) - 1;
    }
    [[nodiscard]] double slope(std::size_t piece) const {
        const TimePair& start = pairs_[piece];
        const TimePair& end = pairs_[piece + 1];
        return (end.new_seconds - start.new_seconds) / (end.old_seconds - start.old_seconds);
    }

    std::span<const TimePair> pairs_;
};

/// Where the track has values: its handles and keys.
void scale_handles(Track& track, std::size_t key, double before, double after) {
    if (track.handles.empty()) {
        return;
    }
    for (Handles& handles : std::span(track.handles).subspan(key * track.width(), track.width())) {
        handles.in_time *= before;
        handles.out_time *= after;
    }
}

void move_times(Clip& clip, double seconds) {
    for (Track& track : clip.tracks) {
        for (double& time : track.times) {
            time += seconds;
        }
    }
    for (Marker& marker : clip.markers) {
        marker.time_seconds += seconds;
    }
}

/// The rows of a list in reverse.
template <typename List>
void turn_round(List& list, std::size_t width) {
    List turned;
    turned.reserve(list.size());
    for (std::size_t row = list.size() / width; row-- > 0;) {
        const auto first = list.begin() + static_cast<std::ptrdiff_t>(row * width);
        turned.insert(turned.end(), first, first + static_cast<std::ptrdiff_t>(width));
    }
    list = std::move(turned);
}

/// A step holds the value of its first key, which is its last one backwards: a second key there keeps it.
void keep_steps(Track& track) {
    const std::size_t width = track.width();
    Track kept = track;
    kept.times.clear();
    kept.values.clear();
    kept.handles.clear();
    kept.interpolation.clear();
    kept.inserted.clear();
    const auto add = [&](double time, std::size_t value_of) {
        const auto row = track.value(value_of);
        const bool is_there = !kept.times.empty() && kept.times.back() == time &&
                              std::ranges::equal(kept.value(kept.key_count() - 1), row);
        if (is_there) {
            kept.interpolation.back() = track.interpolation_after(value_of);
            return;
        }
        kept.times.push_back(time);
        kept.values.insert(kept.values.end(), row.begin(), row.end());
        if (!track.handles.empty()) {
            const auto own = std::span(track.handles).subspan(value_of * width, width);
            kept.handles.insert(kept.handles.end(), own.begin(), own.end());
        }
        kept.interpolation.push_back(track.interpolation_after(value_of));
        kept.inserted.push_back(!track.inserted.empty() && track.inserted[value_of]);
    };
    const bool only_steps = std::ranges::all_of(
        track.interpolation, [](Interpolation kind) { return kind == Interpolation::step; });
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        const bool ends_step = key > 0 && track.interpolation_after(key - 1) == Interpolation::step;
        if (ends_step) {
            add(track.times[key], key - 1);
            kept.interpolation.back() = Interpolation::step;
        }
        if (!ends_step || !only_steps || key + 1 == track.key_count()) {
            add(track.times[key], key);
        }
    }
    track = std::move(kept);
}

void reverse(Track& track, double duration_seconds) {
    if (track.key_count() == 0) {
        return;
    }
    const bool steps =
        std::ranges::find(track.interpolation, Interpolation::step) != track.interpolation.end();
    if (steps) {
        keep_steps(track);
    }
    turn_round(track.times, 1);
    for (double& time : track.times) {
        time = std::max(0.0, duration_seconds - time);
    }
    turn_round(track.values, track.width());
    turn_round(track.handles, track.width());
    for (Handles& handles : track.handles) {
        handles = {-handles.out_time, handles.out_value, -handles.in_time, handles.in_value};
    }
    turn_round(track.inserted, 1);
    if (!track.interpolation.empty()) {
        // What followed a key now follows the next one.
        turn_round(track.interpolation, 1);
        std::rotate(track.interpolation.begin(), track.interpolation.begin() + 1, track.interpolation.end());
    }
}

/// The keys of two parts of a track, one after the other. A key that both have is there once.
Track joined(Track first, const Track& second) {
    const std::size_t width = first.width();
    const bool is_shared = first.times.back() == second.times.front() &&
                           std::ranges::equal(first.value(first.key_count() - 1), second.value(0));
    const std::size_t from = is_shared ? 1 : 0;
    const std::size_t count = first.key_count();
    const auto append = [&](auto& to, const auto& list, std::size_t rows) {
        to.insert(to.end(), list.begin() + static_cast<std::ptrdiff_t>(from * rows), list.end());
    };
    if (!first.interpolation.empty() || !second.interpolation.empty()) {
        first.interpolation.resize(count, Interpolation::linear);
        auto kinds = second.interpolation;
        kinds.resize(second.key_count(), Interpolation::linear);
        if (is_shared) {
            first.interpolation.back() = kinds.front();
        }
        append(first.interpolation, kinds, 1);
    }
    if (!first.handles.empty()) {
        for (std::size_t number = 0; is_shared && number < width; ++number) {
            Handles& last = first.handles[(count - 1) * width + number];
            last.out_time = second.handles[number].out_time;
            last.out_value = second.handles[number].out_value;
        }
        append(first.handles, second.handles, width);
    }
    first.inserted.resize(count);
    auto inserted = second.inserted;
    inserted.resize(second.key_count());
    append(first.inserted, inserted, 1);
    append(first.times, second.times, 1);
    append(first.values, second.values, width);
    return first;
}

}  // namespace

void retime(Clip& clip, std::span<const TimePair> pairs) {
    const TimeMap map(pairs);
    for (Track& track : clip.tracks) {
        for (std::size_t i = 0; i < pairs.size() && track.key_count() > 1; ++i) {
            const double cut = pairs[i].old_seconds;
            if (cut > track.times.front() && cut < track.times.back()) {
                insert_key(track, cut);
            }
        }
        for (std::size_t key = 0; key < track.key_count(); ++key) {
            scale_handles(track, key, map.slope_before(track.times[key]), map.slope_after(track.times[key]));
            track.times[key] = map.of(track.times[key]);
        }
    }
    for (Marker& marker : clip.markers) {
        marker.time_seconds = map.of(marker.time_seconds);
    }
    clip.duration_seconds = map.of(clip.duration_seconds);
}

void speed_up(Clip& clip, double factor) {
    for (Track& track : clip.tracks) {
        for (double& time : track.times) {
            time /= factor;
        }
        for (Handles& handles : track.handles) {
            handles.in_time /= factor;
            handles.out_time /= factor;
        }
    }
    for (Marker& marker : clip.markers) {
        marker.time_seconds /= factor;
    }
    clip.duration_seconds /= factor;
    clip.frames_per_second *= factor;
}

void reverse(Clip& clip) {
    for (Track& track : clip.tracks) {
        reverse(track, clip.duration_seconds);
    }
    for (Marker& marker : clip.markers) {
        marker.time_seconds = clip.duration_seconds - marker.time_seconds;
        if (marker.name == loop_markers[0]) {
            marker.name = loop_markers[1];
        } else if (marker.name == loop_markers[1]) {
            marker.name = loop_markers[0];
        }
    }
    std::ranges::stable_sort(clip.markers, {}, &Marker::time_seconds);
}

void hold(Clip& clip, double first_seconds, double last_seconds) {
    const double end = clip.duration_seconds;
    for (Marker& marker : clip.markers) {
        marker.time_seconds += marker.time_seconds >= end ? last_seconds : 0.0;
    }
    move_times(clip, first_seconds);
    clip.duration_seconds += first_seconds + last_seconds;
}

void start_at(Clip& clip, double seconds) {
    const double end = clip.duration_seconds;
    for (Track& track : clip.tracks) {
        if (track.key_count() == 0) {
            continue;
        }
        insert_key(track, 0.0);
        insert_key(track, end);
        insert_key(track, seconds);
        Clip alone{.skeleton = {}, .tracks = {std::move(track)}, .markers = {}, .duration_seconds = end};
        Track before = trimmed(alone, 0.0, seconds).tracks.front();
        for (double& time : before.times) {
            time += end - seconds;
        }
        track = joined(std::move(trimmed(std::move(alone), seconds, end).tracks.front()), before);
    }
    for (Marker& marker : clip.markers) {
        const bool is_edge = marker.time_seconds <= 0.0 || marker.time_seconds >= end;
        marker.time_seconds += is_edge ? 0.0 : marker.time_seconds < seconds ? end - seconds : -seconds;
    }
}

TrimSpan loop_span(const Clip& clip) {
    const auto loop = loop_of(clip);
    if (!loop) {
        return {0.0, clip.duration_seconds};
    }
    constexpr double rounding_seconds = 1e-6;
    const bool plays = loop->in_seconds >= 0.0 && loop->in_seconds <= loop->out_seconds &&
                       loop->out_seconds <= clip.duration_seconds + rounding_seconds;
    return plays ? TrimSpan{loop->in_seconds, std::min(loop->out_seconds, clip.duration_seconds)}
                 : TrimSpan{0.0, clip.duration_seconds};
}

namespace {

/// How a row changes after a key, if all its numbers can; nullopt: steps meet slopes.
std::optional<Interpolation> common_interpolation(const std::vector<Track>& numbers, std::size_t key) {
    Interpolation common = Interpolation::linear;
    bool slopes = false;
    bool steps = false;
    for (const Track& track : numbers) {
        const Interpolation own = track.interpolation_after(key);
        const bool is_level = own != Interpolation::bezier && key + 1 < track.key_count() &&
                              track.values[key] == track.values[key + 1];
        steps = steps || (own == Interpolation::step && !is_level);
        slopes = slopes || (own != Interpolation::step && !is_level);
        common = own == Interpolation::bezier ? own : common;
    }
    if (steps && slopes && key + 1 < numbers.front().key_count()) {
        return std::nullopt;
    }
    return steps && !slopes ? Interpolation::step : common;
}

/// The handles of a straight segment, on the right of its first key and on the left of its last one.
void straighten(Track& row, std::size_t key, std::size_t number) {
    const std::size_t width = row.width();
    const double third = (row.times[key + 1] - row.times[key]) / 3.0;
    const double rise = (row.values[(key + 1) * width + number] - row.values[key * width + number]) / 3.0;
    row.handles[key * width + number].out_time = third;
    row.handles[key * width + number].out_value = rise;
    row.handles[(key + 1) * width + number].in_time = -third;
    row.handles[(key + 1) * width + number].in_value = -rise;
}

}  // namespace

std::optional<Track> joined_numbers(std::vector<Track> numbers, std::size_t node, Channel channel) {
    std::set<double> times;
    for (const Track& track : numbers) {
        times.insert(track.times.begin(), track.times.end());
    }
    for (Track& track : numbers) {
        for (const double time : times) {
            insert_key(track, time);
        }
    }
    const std::size_t width = numbers.size();
    Track row{node, channel, numbers.front().times};
    const auto has_other_times = [&](const Track& track) { return track.key_count() != row.key_count(); };
    if (std::ranges::any_of(numbers, has_other_times)) {
        return std::nullopt;
    }
    bool curves = false;
    for (std::size_t key = 0; key < row.key_count(); ++key) {
        const auto kind = common_interpolation(numbers, key);
        if (!kind) {
            return std::nullopt;
        }
        row.interpolation.push_back(*kind);
        curves = curves || kind == Interpolation::bezier;
        for (const Track& track : numbers) {
            row.values.push_back(track.values[key]);
        }
    }
    if (!curves) {
        return row;
    }
    row.handles.resize(row.values.size());
    for (std::size_t i = 0; i < row.handles.size(); ++i) {
        const Track& own = numbers[i % width];
        row.handles[i] = own.handles.empty() ? Handles{} : own.handles[i / width];
    }
    for (std::size_t key = 0; key + 1 < row.key_count(); ++key) {
        for (std::size_t i = 0; i < width; ++i) {
            const bool is_own = numbers[i].interpolation_after(key) == Interpolation::bezier;
            if (row.interpolation[key] == Interpolation::bezier && !is_own) {
                straighten(row, key, i);
            }
        }
    }
    return row;
}

std::size_t use_rows(Clip& clip, const std::function<bool(const Track&)>& is_meant) {
    std::set<std::pair<std::size_t, Channel>> channels;
    for (const Track& track : clip.tracks) {
        if (track.component && track.key_count() > 0 && is_meant(track)) {
            channels.emplace(track.node, track.channel);
        }
    }
    for (const auto& named : channels) {
        const std::size_t node = named.first;
        const Channel channel = named.second;
        const Transform& rest = clip.skeleton.nodes[node].rest_local;
        const std::array<double, 4> turned = {rest.rotation.w, rest.rotation.x, rest.rotation.y,
                                              rest.rotation.z};
        std::vector<Track> numbers(width_of(channel), Track{node, Channel::property, {0.0}});
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            numbers[i].values = {channel == Channel::rotation
                                     ? turned.at(i)
                                     : rest.translation[static_cast<glm::length_t>(i)]};
        }
        const auto is_number = [&](const Track& track) {
            return track.node == node && track.channel == channel && track.component && track.key_count() > 0;
        };
        double first = clip.duration_seconds;
        for (const Track& track : clip.tracks) {
            if (is_number(track)) {
                numbers[*track.component] = track;
                first = std::min(first, track.times.front());
            }
        }
        for (Track& number : numbers) {
            if (!number.component) {
                number.times = {first};
            }
        }
        if (auto row = joined_numbers(std::move(numbers), node, channel)) {
            std::erase_if(clip.tracks, is_number);
            clip.tracks.push_back(std::move(*row));
        }
    }
    return use_lines(clip, [&](const Track& track) { return track.component && is_meant(track); });
}

std::size_t use_lines(Clip& clip, const std::function<bool(const Track&)>& is_meant) {
    // Numbers with keys of their own become rows together.
    std::set<std::pair<std::size_t, Channel>> channels;
    for (const Track& track : clip.tracks) {
        if (track.channel != Channel::property && is_meant(track) && !has_linear_rows(track)) {
            channels.emplace(track.node, track.channel);
        }
    }
    Clip curved{clip.skeleton, {}, {}, clip.duration_seconds, clip.frames_per_second};
    const auto is_curved = [&](const Track& track) { return channels.contains({track.node, track.channel}); };
    std::ranges::copy_if(clip.tracks, std::back_inserter(curved.tracks), is_curved);
    if (curved.tracks.empty()) {
        return 0;
    }
    std::erase_if(clip.tracks, is_curved);
    constexpr double step_seconds = 1.0 / 120.0;
    Clip lines = with_linear_rows(curved, step_seconds);
    const std::size_t count = lines.tracks.size();
    std::ranges::move(lines.tracks, std::back_inserter(clip.tracks));
    return count;
}

}  // namespace animbridge::editing
