// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/skeleton.h"

namespace animbridge {

/// What a track moves, and how many numbers a key of it has.
enum class Channel : std::uint8_t {
    translation,  ///< x, y, z in metres, in the parent's frame, in place of the rest translation
    rotation,     ///< w, x, y, z, in the parent's frame, in place of the rest rotation; a key may be off unit
                  ///< length
    scalar,       ///< one number, for sources that key each component by itself
};

[[nodiscard]] constexpr std::size_t width_of(Channel channel) {
    switch (channel) {
        case Channel::translation:
            return 3;
        case Channel::rotation:
            return 4;
        case Channel::scalar:
            return 1;
    }
    return 0;
}

/// How the values go from a key to the next one.
enum class Interpolation : std::uint8_t { step, linear, bezier };

/// The handles of a Bezier key, as offsets from it: time in seconds (or whatever unit the track's times
/// have), and value.
struct Handles {
    double in_time = 0;  ///< at or before the key: 0 or less
    double in_value = 0;
    double out_time = 0;  ///< at or after the key: 0 or more
    double out_value = 0;
};

/// Keys of one channel of one node. Times do not decrease. Before the first and after the last key the value
/// is held.
struct Track {
    std::size_t node = 0;
    Channel channel = Channel::rotation;
    std::vector<double> times{};                 ///< seconds from the clip's start
    std::vector<double> values{};                ///< times.size() rows of width_of(channel)
    std::vector<Interpolation> interpolation{};  ///< per key; empty: all linear
    std::vector<Handles> handles{};              ///< like values, where a key is Bezier; else empty
    std::vector<bool>
        inserted{};  ///< per key; true: no key of the file, it only carries the player's curve; empty: none

    [[nodiscard]] std::size_t key_count() const { return times.size(); }
    [[nodiscard]] std::span<const double> value(std::size_t key) const {
        return std::span(values).subspan(key * width_of(channel), width_of(channel));
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

/// The value of a scalar track at a time: step, linear and Bezier segments as Blender evaluates them (handles
/// that reach past their segment are shortened, guides for 3.4 to 5.x agree). `track` has one key at least.
[[nodiscard]] double evaluate(const Track& track, double time);

/// A time that means something, such as a loop point.
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
};

/// The tracks with keys that turn and move a node; null: none.
struct NodeTracks {
    const Track* rotation = nullptr;
    const Track* translation = nullptr;
};

/// Per node of the clip's skeleton. The clip outlives the result.
[[nodiscard]] std::vector<NodeTracks> tracks_by_node(const Clip& clip);

}  // namespace animbridge
