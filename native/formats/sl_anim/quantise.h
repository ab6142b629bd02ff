// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>

/// The viewer's 16-bit codes, bit for bit (docs/second-life-format.md, "Codes"). Single precision, in the
/// viewer's order of operations: another order or a fused multiply-add would change which codes drift, so
/// this code is compiled with -ffp-contract=off.
namespace animbridge::sl_anim {

inline constexpr float max_code = 65535.0F;
inline constexpr float code_step = 1.0F / max_code;
inline constexpr float rotation_limit = 1.0F;  ///< quaternion components are coded over -1..1
/// Positions are coded over -5..5 metres; the viewer calls this the largest pelvis offset.
inline constexpr float position_limit = 5.0F;

/// Decodes a code to a value from low to high. Values within one step of zero become zero.
[[nodiscard]] inline float decode(std::uint16_t code, float low, float high) {
    const float range = high - low;
    float value = static_cast<float>(code) * code_step;
    value *= range;
    value += low;
    return std::fabs(value) < range * code_step ? 0.0F : value;
}

/// Encodes a value: clamps and truncates, never rounds. NaN (a duration of 0 gives 0/0) becomes code 0, as on
/// x86.
[[nodiscard]] inline std::uint16_t encode(float value, float low, float high) {
    const float below = value < low ? low : value;
    float scaled = below > high ? high : below;
    scaled -= low;
    scaled /= high - low;
    scaled *= max_code;
    // Within 0..65535 the cast truncates as floor does.
    return scaled >= 0.0F ? static_cast<std::uint16_t>(static_cast<std::int32_t>(scaled)) : std::uint16_t{0};
}

/// What the viewer's serializer makes of a component: E(D(E(value))).
[[nodiscard]] inline std::uint16_t encode_component(float value, float limit) {
    return encode(decode(encode(value, -limit, limit), -limit, limit), -limit, limit);
}

/// Times are coded over 0..duration.
[[nodiscard]] inline float decode_time(std::uint16_t code, float duration) {
    return decode(code, 0.0F, duration);
}
[[nodiscard]] inline std::uint16_t encode_time(float seconds, float duration) {
    return encode(seconds, 0.0F, duration);
}

}  // namespace animbridge::sl_anim
