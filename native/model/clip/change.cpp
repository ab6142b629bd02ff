// SPDX-License-Identifier: MIT
#include "model/clip/clip.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

/// Adds a row of the list before `index`.
template <typename List, typename Row>
void insert_rows(List& list, std::size_t index, std::size_t width, const Row& row) {
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(index * width), row.begin(), row.end());
}

/// Cuts the handles of the segment after `left` at `seconds`; those of the new key.
std::vector<Handles> cut_handles(Track& track, std::size_t left, double seconds) {
    const std::size_t width = track.width();
    std::vector<Handles> cut(width);
    if (track.interpolation_after(left) != Interpolation::bezier) {
        return cut;
    }
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
    return cut;
}

}  // namespace

namespace {

/// Where a row goes, and the row.
struct NewKey {
    std::size_t index = 0;
    double seconds = 0;
    std::vector<double> row{};
};

void put(Track& track, const NewKey& key) {
    const std::size_t width = track.width();
    const std::size_t last = track.key_count() - 1;
    const bool is_inside = key.index > 0 && key.index <= last;
    const std::size_t before = key.index == 0 ? 0 : key.index - 1;
    const auto at = static_cast<std::ptrdiff_t>(key.index);
    if (!track.handles.empty()) {
        insert_rows(track.handles, key.index, width,
                    is_inside ? cut_handles(track, before, key.seconds) : std::vector<Handles>(width));
    }
    if (!track.interpolation.empty()) {
        // Outside the keys, the nearest value is held.
        const Interpolation kind = key.index == 0 ? Interpolation::step : track.interpolation[before];
        track.interpolation.insert(track.interpolation.begin() + at, kind);
        if (key.index > last) {
            track.interpolation[before] = Interpolation::step;
        }
    }
    track.inserted.resize(track.key_count());
    track.inserted.insert(track.inserted.begin() + at, true);
    insert_rows(track.values, key.index, width, key.row);
    track.times.insert(track.times.begin() + at, key.seconds);
}

int chords_of(const Track& track, std::size_t left) {
    if (track.channel != Channel::rotation || track.component ||
        track.interpolation_after(left) != Interpolation::linear) {
        return 1;
    }
    return chords_of_turn(angle_between_degrees(track.rotation(left), track.rotation(left + 1)));
}

}  // namespace

int chords_of_turn(double degrees) {
    constexpr double least_degrees = 20.0;
    constexpr double measured = 0.0274;  // of turns from 20 to 120 degrees
    return degrees > least_degrees ? static_cast<int>(std::ceil(measured * std::pow(degrees, 1.5))) : 1;
}

std::size_t insert_key(Track& track, double seconds) {
    const auto right = std::ranges::lower_bound(track.times, seconds - same_seconds);
    const auto index = static_cast<std::size_t>(right - track.times.begin());
    if (right != track.times.end() && *right <= seconds + same_seconds) {
        return index;
    }
    if (index == 0 || index == track.key_count()) {
        const auto held = track.value(index == 0 ? 0 : index - 1);
        put(track, {index, seconds, {held.begin(), held.end()}});
        return index;
    }
    const std::size_t left = index - 1;
    const int chords = chords_of(track, left);
    const double start = track.times[left];
    const double length = track.times[index] - start;
    std::vector<double> times = {seconds};
    times.reserve(static_cast<std::size_t>(chords));
    for (int i = 1; i < chords; ++i) {
        const double time = start + length * i / chords;
        if (std::abs(time - seconds) > same_seconds) {
            times.push_back(time);
        }
    }
    std::ranges::sort(times);
    std::vector<NewKey> keys;
    keys.reserve(times.size());
    for (const double time : times) {
        keys.push_back({index + keys.size(), time, row_at(track, left, time)});
    }
    for (const NewKey& key : keys) {
        put(track, key);
    }
    return index + static_cast<std::size_t>(std::ranges::find(times, seconds) - times.begin());
}

namespace {

/// Adds a key that does not change the curve, if the time is between two keys.
void split_at(Track& track, double seconds) {
    if (seconds > track.times.front() + same_seconds && seconds < track.times.back() - same_seconds) {
        insert_key(track, seconds);
    }
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
        std::ranges::lower_bound(track.times, start_seconds - same_seconds) - track.times.begin());
    auto last = static_cast<std::size_t>(std::ranges::upper_bound(track.times, end_seconds + same_seconds) -
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

namespace {

/// How a node's frame turns: its parent's turn is undone, and its own applied.
struct FrameTurn {
    glm::dquat above{1, 0, 0, 0};
    glm::dquat own{1, 0, 0, 0};

    [[nodiscard]] std::array<double, 4> rotation(const double* row) const {
        const glm::dquat q = product(product(above, {row[0], row[1], row[2], row[3]}), own);
        return {q.w, q.x, q.y, q.z};
    }
    [[nodiscard]] std::array<double, 3> place(const double* row) const {
        const glm::dvec3 place = above * glm::dvec3(row[0], row[1], row[2]);
        return {place.x, place.y, place.z};
    }
};

/// Both are linear, so differences of rows, such as handles, turn like rows.
void turn_row(const FrameTurn& turn, Channel channel, double* row) {
    if (channel == Channel::rotation) {
        std::ranges::copy(turn.rotation(row), row);
    } else {
        std::ranges::copy(turn.place(row), row);
    }
}

void turn_handles(const FrameTurn& turn, Channel channel, std::span<Handles> handles) {
    std::array<double, 4> in{};
    std::array<double, 4> out{};
    for (std::size_t i = 0; i < handles.size(); ++i) {
        in.at(i) = handles[i].in_value;
        out.at(i) = handles[i].out_value;
    }
    turn_row(turn, channel, in.data());
    turn_row(turn, channel, out.data());
    for (std::size_t i = 0; i < handles.size(); ++i) {
        handles[i].in_value = in.at(i);
        handles[i].out_value = out.at(i);
    }
}

void turn_track(const FrameTurn& turn, Track& track) {
    const std::size_t width = track.width();
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        turn_row(turn, track.channel, &track.values[key * width]);
        if (!track.handles.empty()) {
            turn_handles(turn, track.channel, std::span(track.handles).subspan(key * width, width));
        }
    }
}

std::vector<FrameTurn> turns_of(const Skeleton& skeleton, Camera::Axes axes) {
    std::vector<FrameTurn> turns;
    turns.reserve(skeleton.nodes.size());
    for (const Node& node : skeleton.nodes) {
        const glm::dquat own = node.camera ? turn_between(node.camera->axes, axes) : glm::dquat(1, 0, 0, 0);
        const glm::dquat above =
            node.parent ? glm::conjugate(turns[*node.parent].own) : glm::dquat(1, 0, 0, 0);
        turns.push_back({above, own});
    }
    return turns;
}

}  // namespace

glm::dquat turn_between(Camera::Axes from, Camera::Axes to) {
    if (from == to) {
        return {1, 0, 0, 0};
    }
    // A quarter turn about X takes Y to Z, which is up in the picture, and Z to -Y, which is behind.
    const double half = std::sqrt(0.5);
    return {half, to == Camera::Axes::looks_down_z ? half : -half, 0, 0};
}

std::optional<Clip> with_camera_axes(const Clip& clip, Camera::Axes axes) {
    const std::vector<Node>& nodes = clip.skeleton.nodes;
    if (std::ranges::all_of(nodes,
                            [&](const Node& node) { return !node.camera || node.camera->axes == axes; })) {
        return std::nullopt;
    }
    constexpr double step_seconds = 1.0 / 120.0;
    const bool has_components =
        std::ranges::any_of(clip.tracks, [](const Track& track) { return track.component.has_value(); });
    Clip turned = has_components ? with_linear_rows(clip, step_seconds) : clip;
    const std::vector<FrameTurn> turns = turns_of(clip.skeleton, axes);
    for (std::size_t i = 0; i < turns.size(); ++i) {
        Node& node = turned.skeleton.nodes[i];
        const FrameTurn& turn = turns[i];
        node.rest_local = {product(product(turn.above, node.rest_local.rotation), turn.own),
                           turn.above * node.rest_local.translation};
        if (node.camera) {
            node.camera->axes = axes;
        }
    }
    for (Track& track : turned.tracks) {
        if (track.channel != Channel::property) {
            turn_track(turns[track.node], track);
        }
    }
    return turned;
}

}  // namespace animbridge
