// SPDX-License-Identifier: MIT
#include "formats/scene_file/clip/clip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>
#include <set>
#include <span>
#include <utility>

#include "reduce/reduce.h"

namespace animbridge::scene_file::clip {

namespace {

/// The duration of a step's slope.
double slope_seconds(double frames_per_second) {
    constexpr double slope_part = 1e-3;
    return slope_part * 0.5 / frames_per_second;
}

/// Keys of a channel, in order, at times that increase.
class Keys {
public:
    Keys(std::uint32_t node, file::Target target, file::KeyKind kind = file::KeyKind::linear)
        : channel_{node, target, kind} {}

    /// A key at the time of the last one replaces it: that value shows from then on. Rotations follow the
    /// sign of the previous one.
    void add(double seconds, std::span<const double> row) {
        if (!times_.empty() && seconds <= times_.back()) {
            times_.pop_back();
            values_.resize(values_.size() - row.size());
        }
        double sign = 1.0;
        if (row.size() == 4) {
            const double length =
                std::sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3]);
            sign = length > 0.0 ? 1.0 / length : 1.0;
            sign = values_.empty() || along_last(row) >= 0.0 ? sign : -sign;
        }
        times_.push_back(seconds);
        for (const double value : row) {
            values_.push_back(sign * value);
        }
    }
    [[nodiscard]] file::Channel take() {
        channel_.times_seconds = std::move(times_);
        channel_.values = std::move(values_);
        return std::move(channel_);
    }

private:
    [[nodiscard]] double along_last(std::span<const double> row) const {
        const double* last = values_.data() + values_.size() - row.size();
        return last[0] * row[0] + last[1] * row[1] + last[2] * row[2] + last[3] * row[3];
    }

    file::Channel channel_;
    std::vector<double> times_{};
    std::vector<double> values_{};
};

/// A clip lerps from one rotation to the next and normalises; scene files turn evenly. Keys between make them
/// agree.
void add_straight_way(const Track& track, std::size_t key, Keys& keys) {
    constexpr double most_degrees = 0.005;
    const glm::dquat from = track.rotation(key);
    const glm::dquat next = track.rotation(key + 1);
    // Turns below 15 degrees need none, which is faster to test than their exact size.
    constexpr double cosine_of_short = 0.9915;
    const double dot = glm::dot(from, next);
    if (dot * dot > cosine_of_short * cosine_of_short * glm::dot(from, from) * glm::dot(next, next)) {
        return;
    }
    const glm::dquat to = dot < 0.0 ? -next : next;
    const double half = 0.5 * glm::radians(angle_between_degrees(from, to));
    // Both paths differ by about half^3 / 31, as a sine over the segment. (2 pi)^2 / 8 of that, over the
    // square of their number, is the error of straight pieces; for large turns it is not a sine, so add half.
    const double apart = half * half * half / 31.0;
    const double bound = glm::radians(most_degrees);
    const auto parts =
        apart <= bound ? std::size_t{1} : static_cast<std::size_t>(std::ceil(std::sqrt(7.5 * apart / bound)));
    const double begin = track.times[key];
    for (std::size_t part = 1; part < parts; ++part) {
        const double share = static_cast<double>(part) / static_cast<double>(parts);
        const glm::dquat q = glm::normalize(from * (1.0 - share) + to * share);
        keys.add(begin + (track.times[key + 1] - begin) * share, std::array{q.w, q.x, q.y, q.z});
    }
}

/// Whether the track only jumps, and the whole of it is played.
bool only_jumps(const Track& track, double end_seconds) {
    const std::size_t count = track.key_count();
    if (count < 2 || track.times.front() < 0.0 || track.times.back() > end_seconds) {
        return false;
    }
    for (std::size_t key = 0; key + 1 < count; ++key) {
        if (track.interpolation_after(key) != Interpolation::step) {
            return false;
        }
    }
    return true;
}

bool is_third(double handle_seconds, double seconds) {
    constexpr double noise = 1e-6;
    return std::abs(3.0 * handle_seconds - seconds) <= noise * seconds;
}

bool is_unit_row(std::span<const double> row) {
    constexpr double noise = 1e-6;
    const double square = row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3];
    return std::abs(square - 1.0) <= noise;
}

/// Whether the segment after `key` is a Hermite one, between times that a file can distinguish.
bool is_hermite(const Track& track, std::size_t key) {
    const double seconds = track.times[key + 1] - track.times[key];
    if (track.interpolation_after(key) != Interpolation::bezier ||
        !(static_cast<float>(track.times[key]) < static_cast<float>(track.times[key + 1]))) {
        return false;
    }
    const std::size_t width = track.width();
    for (std::size_t number = 0; number < width; ++number) {
        if (!is_third(track.handles[key * width + number].out_time, seconds) ||
            !is_third(-track.handles[(key + 1) * width + number].in_time, seconds)) {
            return false;
        }
    }
    return true;
}

/// Whether the track is one cubic spline, and the whole of it is played.
bool is_spline(const Track& track, double end_seconds) {
    const std::size_t count = track.key_count();
    if (track.component || track.handles.empty() || count < 2 || track.times.front() < 0.0 ||
        track.times.back() > end_seconds) {
        return false;
    }
    for (std::size_t key = 0; key < count; ++key) {
        if ((track.channel == animbridge::Channel::rotation && !is_unit_row(track.value(key))) ||
            (key + 1 < count && !is_hermite(track, key))) {
            return false;
        }
    }
    return true;
}

double slope_of(double time, double value) { return time == 0.0 ? 0.0 : value / time; }

/// For a track that is a spline.
file::Channel spline_of(const Track& track) {
    const bool is_rotation = track.channel == animbridge::Channel::rotation;
    file::Channel made{static_cast<std::uint32_t>(track.node + 1),
                       is_rotation ? file::Target::rotation : file::Target::translation, file::KeyKind::cubic,
                       track.times, track.values};
    const std::size_t width = track.width();
    std::vector<double> tangents(2 * track.values.size());
    for (std::size_t i = 0; i < track.values.size(); ++i) {
        const Handles& handles = track.handles[i];
        double* const rows = &tangents[i / width * 2 * width + i % width];
        rows[0] = slope_of(handles.in_time, handles.in_value);
        rows[width] = slope_of(handles.out_time, handles.out_value);
    }
    made.tangents = std::move(tangents);
    return made;
}

/// For a track that only jumps. Files store times as floats, and a jump is at the time in the file.
file::Channel steps_of(const Track& track) {
    const bool is_rotation = track.channel == animbridge::Channel::rotation;
    Keys keys(static_cast<std::uint32_t>(track.node + 1),
              is_rotation ? file::Target::rotation : file::Target::translation, file::KeyKind::step);
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        keys.add(static_cast<double>(static_cast<float>(track.times[key])), track.value(key));
    }
    return keys.take();
}

/// A step becomes a short slope.
file::Channel channel_of(const Track& track, double shortest_seconds) {
    const bool is_rotation = track.channel == animbridge::Channel::rotation;
    Keys keys(static_cast<std::uint32_t>(track.node + 1),
              is_rotation ? file::Target::rotation : file::Target::translation);
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        keys.add(track.times[key], track.value(key));
        const bool holds =
            key + 1 < track.key_count() && track.interpolation_after(key) == Interpolation::step;
        if (holds && track.times[key + 1] - shortest_seconds > track.times[key]) {
            keys.add(track.times[key + 1] - shortest_seconds, track.value(key));
        }
        if (is_rotation && key + 1 < track.key_count() &&
            track.interpolation_after(key) == Interpolation::linear) {
            add_straight_way(track, key, keys);
        }
    }
    return keys.take();
}

/// The row of a channel of straight lines at a time between two of its keys; `key` is the first of them.
std::vector<double> row_between(const file::Channel& channel, std::size_t key, double seconds) {
    const std::size_t width = file::width_of(channel.target);
    const double* from = channel.values.data() + key * width;
    const double begin = channel.times_seconds[key];
    const double share = (seconds - begin) / (channel.times_seconds[key + 1] - begin);
    std::vector<double> row;
    for (std::size_t number = 0; number < width; ++number) {
        row.push_back(from[number] + share * (from[width + number] - from[number]));
    }
    return row;
}

/// Only the played part: without the keys before 0 and after the end, and with keys there instead.
file::Channel played(const file::Channel& channel, double end_seconds) {
    const std::vector<double>& times = channel.times_seconds;
    if (times.front() >= 0.0 && times.back() <= end_seconds) {
        return channel;
    }
    const std::size_t width = file::width_of(channel.target);
    Keys keys(channel.node, channel.target);
    for (std::size_t key = 0; key < times.size(); ++key) {
        const std::span<const double> row = std::span(channel.values.get()).subspan(key * width, width);
        const bool is_last = key + 1 == times.size();
        if (times[key] >= 0.0 && times[key] <= end_seconds) {
            keys.add(times[key], row);
        } else if ((times[key] < 0.0 && is_last) || (times[key] > end_seconds && key == 0)) {
            keys.add(0.0, row);  // held for the whole duration
        }
        for (const double edge : {0.0, end_seconds}) {
            if (!is_last && times[key] < edge && times[key + 1] > edge) {
                keys.add(edge, row_between(channel, key, edge));
            }
        }
    }
    return keys.take();
}

/// The channel's steps as steep lines.
file::Channel sloped(const file::Channel& channel, double slope_seconds) {
    const std::size_t width = file::width_of(channel.target);
    Keys keys(channel.node, channel.target);
    for (std::size_t key = 0; key < channel.times_seconds.size(); ++key) {
        const double time = channel.times_seconds[key];
        if (key > 0 && time - slope_seconds > channel.times_seconds[key - 1]) {
            keys.add(time - slope_seconds, std::span(channel.values.get()).subspan((key - 1) * width, width));
        }
        keys.add(time, std::span(channel.values.get()).subspan(key * width, width));
    }
    return keys.take();
}

}  // namespace

Clip with_close_lines(const Clip& clip, double frames_per_second) {
    constexpr double parts_of_frame = 8.0;
    constexpr double bound_degrees = 0.005;
    constexpr double bound_mm = 0.02;
    std::set<std::pair<std::size_t, animbridge::Channel>> bent;
    for (const Track& track : clip.tracks) {
        if (!has_linear_rows(track)) {
            bent.emplace(track.node, track.channel);
        }
    }
    Clip lines = with_linear_rows(clip, 1.0 / (parts_of_frame * frames_per_second));
    for (Track& track : lines.tracks) {
        if (track.channel != animbridge::Channel::property && bent.contains({track.node, track.channel})) {
            const bool is_rotation = track.channel == animbridge::Channel::rotation;
            track = reduce::without_needless_keys(track, is_rotation ? bound_degrees : bound_mm);
        }
    }
    return lines;
}

std::optional<file::Channel> step_channel(const Track& track, double end_seconds) {
    return only_jumps(track, end_seconds) ? std::optional(steps_of(track)) : std::nullopt;
}

std::optional<file::Channel> spline_channel(const Track& track, double end_seconds) {
    return is_spline(track, end_seconds) ? std::optional(spline_of(track)) : std::nullopt;
}

file::Channel line_channel(const Track& track, double frames_per_second, double end_seconds) {
    return played(channel_of(track, slope_seconds(frames_per_second)), end_seconds);
}

file::Channel with_lines(const file::Channel& channel, double frames_per_second) {
    if (channel.kind == file::KeyKind::step) {
        return sloped(channel, slope_seconds(frames_per_second));
    }
    if (channel.kind == file::KeyKind::linear) {
        return channel;
    }
    Clip clip;
    clip.skeleton.nodes.emplace_back();
    clip.tracks.push_back(track_of(channel, {}, {1, 1, 1}, 0, 0.0));
    const Clip lines = with_close_lines(clip, frames_per_second);
    file::Channel made = line_channel(lines.tracks.front(), frames_per_second, channel.times_seconds.back());
    made.node = channel.node;
    return made;
}

}  // namespace animbridge::scene_file::clip
