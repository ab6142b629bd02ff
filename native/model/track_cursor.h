// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "model/clip.h"

namespace animbridge {

/// A place in a list of key times.
struct KeyPosition {
    std::size_t key = 0;
    double fraction = 0;  ///< of the way to the next key, below 1; 0: at `key`, which may be the last
};

/// Finds times that mostly ascend among key times without a search per step. There must be at least one key
/// time, and the list must outlive the cursor.
class KeyCursor {
public:
    explicit KeyCursor(const std::vector<double>& times) : times_(&times) {}

    [[nodiscard]] KeyPosition find(double time);
    [[nodiscard]] const std::vector<double>& times() const { return *times_; }

private:
    const std::vector<double>* times_;
    std::size_t last_ = 0;
};

/// The value of a track of whole rows at a time whose position among the key times is given. Between linear
/// keys, rotations are lerped and normalised; between Bezier keys, each number follows its own curve, and
/// rotations are normalised. Rotations are of unit length; a key of length 0 means no rotation. At a key, the
/// result is the key's value, normalised, with its sign.
[[nodiscard]] glm::dquat rotation_at(const Track& track, const KeyPosition& position, double time);
[[nodiscard]] glm::dvec3 translation_at(const Track& track, const KeyPosition& position, double time);

/// rotation_at for positions that mostly ascend in one track: it normalises the keys around a position once
/// and keeps them for the times up to the next key.
class UnitKeys {
public:
    [[nodiscard]] glm::dquat rotation_at(const Track& track, const KeyPosition& position, double time);

private:
    static constexpr std::size_t no_key = static_cast<std::size_t>(-1);

    std::size_t key_ = no_key;
    bool has_next_ = false;
    glm::dquat here_{1, 0, 0, 0};
    glm::dquat next_{1, 0, 0, 0};
};

/// Reads a track of whole rows at times that mostly ascend. Before the first and after the last key, the
/// value is held. The track must have at least one key, and outlive the cursor.
class TrackCursor {
public:
    explicit TrackCursor(const Track& track) : track_(&track), keys_(track.times) {}

    [[nodiscard]] glm::dquat rotation_at(double time) {
        return animbridge::rotation_at(*track_, keys_.find(time), time);
    }
    [[nodiscard]] glm::dvec3 translation_at(double time) {
        return animbridge::translation_at(*track_, keys_.find(time), time);
    }

private:
    const Track* track_;
    KeyCursor keys_;
};

}  // namespace animbridge
