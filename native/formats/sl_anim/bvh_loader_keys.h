// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/sl_anim/viewer_math.h"

/// Which frames Second Life's BVH loader keeps as keys, and whether it sees a joint move
/// (docs/second-life-bvh.md, "Second Life's upload").
namespace animbridge::sl_anim {

/// Of one track.
struct KeptFrames {
    std::vector<std::uint8_t> kept{};  ///< [frame], 1 or 0
    bool moves = false;                ///< the loader sees a difference from the reference
};

/// What frames are measured against, and where the keys begin.
template <typename Value>
struct Reference {
    Value value{};
    /// Frames before it are no keys: 1 where frame 0 is the reference. With 0, which the loader knows of a
    /// single frame only, every frame is looked at for motion; else not the last one, and of positions not
    /// the second key frame.
    std::size_t first_key = 0;
};

/// The rotations of a joint by frame, each as the viewer's product of its channels; `depth` as in BvhJoint.
/// Each dropped frame is near enough to the chord at the moment of its test; the test is not repeated.
[[nodiscard]] KeptFrames keep_rotations(std::span<const Quaternion> rotations,
                                        const Reference<Quaternion>& reference, std::size_t depth);

/// Positions in inches.
[[nodiscard]] KeptFrames keep_positions(std::span<const Vector> positions,
                                        const Reference<Vector>& reference);

}  // namespace animbridge::sl_anim
