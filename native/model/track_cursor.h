// SPDX-License-Identifier: MIT
#pragma once

#include "model/clip.h"

namespace animbridge {

/// Reads a track of whole rows at times that mostly ascend: a step costs no search. Between linear keys,
/// rotations are lerped and normalised; between Bezier keys, each number follows its own curve, and rotations
/// are normalised. Held outside the keys. The track has at least one key, and outlives this.
class TrackCursor {
public:
    explicit TrackCursor(const Track& track) : track_(&track) {}

    /// Of unit length; a key of length 0 counts as no rotation. At a key it is the key's value, normalised,
    /// with its sign.
    [[nodiscard]] glm::dquat rotation_at(double time);
    [[nodiscard]] glm::dvec3 translation_at(double time);

private:
    struct Position {
        std::size_t key = 0;
        double fraction = 0;  ///< of the way to the next key; 0: at `key`, which may be the last
        bool bezier = false;  ///< the fraction is not 0, and the way is a Bezier segment
    };
    [[nodiscard]] Position find(double time);

    const Track* track_;
    std::size_t last_ = 0;
};

}  // namespace animbridge
