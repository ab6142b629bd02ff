// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "formats/sl_anim/viewer_math.h"

/// A BVH file as Second Life's BVH loader reads it (docs/second-life-bvh.md, "Second Life's upload"): line by
/// line, stricter than the format in some places and more lenient in others.
namespace animbridge::sl_anim {

struct BvhJoint {
    std::string name;  ///< the first word, at most 79 bytes
    /// Rotation channels in file order (0 x, 1 y, 2 z); one may repeat.
    std::array<std::size_t, 3> order{0, 1, 2};
    bool has_position_track = false;  ///< its channel count is not 3
    std::size_t depth = 0;            ///< the number of joints on the longest chain below it
    std::vector<Vector> rotations{};  ///< [frame], degrees about the BVH's x, y, z
    std::vector<Vector> positions{};  ///< [frame], inches in the BVH's axes; empty: all zero
};

struct BvhMotion {
    std::vector<BvhJoint> joints{};  ///< in file order; names may repeat
    std::size_t frames = 0;
    float frame_time_seconds = 0;
};

/// Reads the file as the viewer does. ErrorCode::rejected if the viewer refuses it; the reason names the rule
/// that it breaks, and the error has the line. Time is linear; memory is at most 10 times the input.
[[nodiscard]] Result<BvhMotion> read_bvh_as_viewer(ByteView bytes);

}  // namespace animbridge::sl_anim
