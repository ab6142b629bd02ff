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

/// The result for one track.
struct KeptFrames {
    std::vector<std::uint8_t> kept{};  ///< [frame], 1 or 0
    bool moves = false;                ///< the loader sees a difference from the reference
};

/// What frames are compared with, and where the keys begin.
template <typename Value>
struct Reference {
    Value value{};
    /// Earlier frames do not become keys; 1 if frame 0 is the reference. With 0, which the loader uses only
    /// for a single frame, every frame is tested for motion. Otherwise the last rotation and the position of
    /// the second key frame are not tested.
    std::size_t first_key = 0;
};

/// `rotations`: one per frame, each the viewer's product of its channels; `depth`: as in BvhJoint. Each
/// dropped frame was close enough to the chord when it was tested. Like the loader, this does not test it
/// again after later frames are dropped.
[[nodiscard]] KeptFrames keep_rotations(std::span<const Quaternion> rotations,
                                        const Reference<Quaternion>& reference, std::size_t depth);

/// `positions`: one per frame, in inches.
[[nodiscard]] KeptFrames keep_positions(std::span<const Vector> positions,
                                        const Reference<Vector>& reference);

}  // namespace animbridge::sl_anim
