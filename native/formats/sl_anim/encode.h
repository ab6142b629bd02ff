// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/sl_anim/document.h"
#include "formats/sl_anim/keys.h"

namespace animbridge::sl_anim {

/// How edited keys become codes. docs/second-life-accuracy.md has the measured errors of the three.
enum class Encoder : std::uint8_t {
    upload,   ///< least error after the viewer has loaded and stored the file again, as every upload does
    nearest,  ///< least error as the file decodes directly: OpenSim, or files that are not uploaded
    viewer,   ///< the codes that the viewer's own serializer would write
};

[[nodiscard]] std::optional<Encoder> encoder_named(std::string_view name);

/// Rotations (any sign, nearly unit) and positions (metres, clamped to 5) at times in seconds, one key of the
/// file each, in their order.
[[nodiscard]] std::vector<CodedKey> encode_rotations(const RotationKeys& keys, float duration_seconds,
                                                     Encoder encoder);
[[nodiscard]] std::vector<CodedKey> encode_positions(const PositionKeys& keys, float duration_seconds,
                                                     Encoder encoder);

/// The code of a time within 0..duration.
[[nodiscard]] std::uint16_t encode_key_time(float seconds, float duration_seconds, Encoder encoder);

}  // namespace animbridge::sl_anim
