// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/skeleton.h"

namespace animbridge {

/// What a track changes. A key holds all the numbers of its channel, or one of them (Track::component).
enum class Channel : std::uint8_t {
    translation,  ///< x, y, z in metres, in the parent's frame; replaces the rest translation
    rotation,     ///< w, x, y, z, in the parent's frame; replaces the rest rotation. A key need not have unit
                  ///< length
    property,     ///< one number that is not part of the pose, such as a visibility (Track::property)
};

[[nodiscard]] constexpr std::size_t width_of(Channel channel) {
    switch (channel) {
        case Channel::translation:
            return 3;
        case Channel::rotation:
            return 4;
        case Channel::property:
            return 1;
    }
    return 0;
}

/// How a value changes between a key and the next one.
enum class Interpolation : std::uint8_t { step, linear, bezier };

/// The handles of a Bezier key, as offsets from it: time in the unit of the track's times, and value. For a
/// weighted tangent, the handle's time is the weight times the length of the segment.
struct Handles {
    double in_time = 0;  ///< at or before the key: 0 or less
    double in_value = 0;
    double out_time = 0;  ///< at or after the key: 0 or more
    double out_value = 0;
};

/// Keys of one channel of one node. Times do not decrease. Before the first and after the last key, the value
/// is held.
struct Track {
    std::size_t node = 0;
    Channel channel = Channel::rotation;
    std::vector<double> times{};                 ///< seconds from the clip's start
    std::vector<double> values{};                ///< times.size() rows of width() numbers
    std::vector<Interpolation> interpolation{};  ///< per key; empty: all linear
    std::vector<Handles> handles{};              ///< one per number of `values`; empty unless a key is Bezier
    std::vector<bool> inserted{};  ///< per key; true: added to follow the player's curve; empty: none
    /// The only number of the channel that the keys hold, if the source keys each number by itself; none:
    /// all.
    std::optional<std::uint8_t> component{};
    std::string property{};  ///< what a Channel::property track animates, such as "visibility"; else empty

    [[nodiscard]] std::size_t width() const { return component ? 1 : width_of(channel); }
    [[nodiscard]] std::size_t key_count() const { return times.size(); }
    [[nodiscard]] Interpolation interpolation_after(std::size_t key) const {
        return interpolation.empty() ? Interpolation::linear : interpolation[key];
    }
    [[nodiscard]] std::span<const double> value(std::size_t key) const {
        return std::span(values).subspan(key * width(), width());
    }
    [[nodiscard]] glm::dquat rotation(std::size_t key) const {
        const auto row = value(key);
        return {row[0], row[1], row[2], row[3]};
    }
    [[nodiscard]] glm::dvec3 translation(std::size_t key) const {
        const auto row = value(key);
        return {row[0], row[1], row[2]};
    }
    void add_key(double time, std::span<const double> row) {
        times.push_back(time);
        values.insert(values.end(), row.begin(), row.end());
    }
};

/// One number of a track's rows at a time. Evaluates step, linear and Bezier segments like Blender 3.4 to
/// 5.x, which shortens handles that reach beyond their segment. `track` must have at least one key.
[[nodiscard]] double evaluate(const Track& track, double time, std::size_t number = 0);

/// Like evaluate, on the Bezier segment that begins at `key`, which is not the last one.
[[nodiscard]] double bezier_between(const Track& track, std::size_t key, double time, std::size_t number = 0);

/// The value of a cubic Bezier at a parameter from 0 to 1.
[[nodiscard]] constexpr double cubic_bezier(double p0, double p1, double p2, double p3, double u) {
    const double v = 1.0 - u;
    return v * v * v * p0 + 3.0 * v * v * u * p1 + 3.0 * v * u * u * p2 + u * u * u * p3;
}

/// The handles of a Bezier segment that was cut in two, of the sides that belong to it.
struct SplitBezier {
    Handles start{};  ///< of the key before: its right side
    Handles cut{};    ///< of the new key: both sides
    Handles end{};    ///< of the key after: its left side
};
/// Cuts the segment that begins at `key` at `time` inside it, for one number.
[[nodiscard]] SplitBezier split_bezier(const Track& track, std::size_t key, double time,
                                       std::size_t number = 0);

/// A time with a meaning, such as a loop point.
struct Marker {
    std::string name;
    double time_seconds = 0;
};

/// The neutral animation: a skeleton and the tracks that move it. Clip space: right-handed, Z up, metres,
/// seconds.
struct Clip {
    Skeleton skeleton;
    std::vector<Track> tracks;
    std::vector<Marker> markers;
    double duration_seconds = 0;
    double frames_per_second = 0;  ///< as in the source; 0: the source has no rate
};

/// How long the clip holds its first pose: no track that moves has its first key earlier.
[[nodiscard]] double leading_hold_seconds(const Clip& clip);

/// The tracks of whole rows that rotate and move a node; null: none.
struct NodeTracks {
    const Track* rotation = nullptr;
    const Track* translation = nullptr;
};

/// One entry per node of the clip's skeleton. The clip must outlive the result.
[[nodiscard]] std::vector<NodeTracks> tracks_by_node(const Clip& clip);

}  // namespace animbridge
