// SPDX-License-Identifier: MIT
#pragma once

#include "formats/sl_anim/quantise.h"
#include "formats/sl_anim/viewer_math.h"

/// How one upload changes a file's codes: the viewer loads the file and stores it again
/// (docs/second-life-format.md, "Upload"). E and D: encode and decode of quantise.h; N: to_stored.
namespace animbridge::sl_anim {

/// E(D(c)).
[[nodiscard]] inline std::uint16_t restore_time(std::uint16_t code, float duration) {
    return encode_time(decode_time(code, duration), duration);
}

/// E(D(E(D(E(D(c)))))): the viewer serialises once to find the size, which leaves quantised positions, and
/// then again to write.
[[nodiscard]] inline std::uint16_t restore_position(std::uint16_t code) {
    const float loaded = decode(code, -position_limit, position_limit);
    const float after_size_query =
        decode(encode(loaded, -position_limit, position_limit), -position_limit, position_limit);
    return encode_component(after_size_query, position_limit);
}

/// E(D(E(N(D(c))))) for a loaded rotation.
[[nodiscard]] inline std::array<std::uint16_t, 3> restore_rotation(const Quaternion& loaded) {
    const Vector stored = to_stored(loaded);
    return {encode_component(stored[0], rotation_limit), encode_component(stored[1], rotation_limit),
            encode_component(stored[2], rotation_limit)};
}

}  // namespace animbridge::sl_anim
