// SPDX-License-Identifier: MIT
#pragma once

#include "model/clip.h"

namespace animbridge {

/// Reads a track at times that mostly ascend, without a search per time. Interpolation is step or linear;
/// rotations are interpolated linearly and normalised. The value is held before the first and after the last
/// key. The track must have a key and outlive this.
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
        double fraction = 0;  ///< 0 to 1 towards the next key; at 0 there may be no next key
    };
    [[nodiscard]] Position find(double time);

    const Track* track_;
    std::size_t last_ = 0;
};

}  // namespace animbridge
