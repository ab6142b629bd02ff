// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "formats/sl_anim/document.h"
#include "formats/sl_anim/keys.h"

namespace animbridge::sl_anim {

/// How edited keys become codes. docs/second-life-accuracy.md lists the measured errors of each encoder.
enum class Encoder : std::uint8_t {
    upload,   ///< smallest error after an upload, in which the viewer loads and stores the file again
    nearest,  ///< smallest error of the file itself: for OpenSim, or files that are not uploaded
    viewer,   ///< the codes that the viewer's own serializer writes
};

/// Encode rotations (any sign, nearly unit) and positions (metres, clamped to 5) at times in seconds; one key
/// of the file for each, in the same order.
[[nodiscard]] std::vector<CodedKey> encode_rotations(const RotationKeys& keys, float duration_seconds,
                                                     Encoder encoder);
[[nodiscard]] std::vector<CodedKey> encode_positions(const PositionKeys& keys, float duration_seconds,
                                                     Encoder encoder);

/// The code of a time from 0 to the duration.
[[nodiscard]] std::uint16_t encode_key_time(float seconds, float duration_seconds, Encoder encoder);

}  // namespace animbridge::sl_anim
