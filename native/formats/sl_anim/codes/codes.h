// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/ext/quaternion_double.hpp>
#include <vector>

#include "formats/sl_anim/file/file.h"

/// The viewer's 16-bit codes and its arithmetic, bit for bit (docs/second-life-format.md, "Codes"): numbers
/// to codes and back, the keys that the viewer makes of them, what an upload changes, and codes for new keys.
/// Nothing here fails. Rotations are Hamilton quaternions in single precision; positions are metres.
///
/// The order of operations is that of the published viewer source (llmath). Another order, or a fused
/// multiply-add, changes which codes drift on upload; so this code is compiled with -ffp-contract=off.
namespace animbridge::sl_anim::codes {

// ---- vectors and rotations ----

/// A Hamilton quaternion. Keys of a file need not have unit length.
struct Quaternion {
    float x = 0;
    float y = 0;
    float z = 0;
    float w = 1;
};

using Vector = std::array<float, 3>;

/// Restores w of a stored rotation: sqrt(1 - |v|^2), or 0 if that is not positive. The vector is not
/// rescaled.
[[nodiscard]] inline Quaternion from_stored(float x, float y, float z) {
    const float rest = 1.0F - (x * x + y * y + z * z);
    return {x, y, z, rest > 0.0F ? std::sqrt(rest) : 0.0F};
}

[[nodiscard]] inline float length_of(const Quaternion& q) {
    return std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

/// The vector part as it is stored: divided by the length, with the sign that makes w positive.
[[nodiscard]] inline Vector to_stored(const Quaternion& q) {
    constexpr float smallest_length = 0.0000001F;
    const float length = length_of(q);
    Vector v{q.x, q.y, q.z};
    if (length > smallest_length) {
        v = {q.x / length, q.y / length, q.z / length};
    }
    return q.w >= 0.0F ? v : Vector{-v[0], -v[1], -v[2]};
}

/// u*b + (1-u)*a, rescaled only if the length is off by more than a millionth.
[[nodiscard]] Quaternion lerp(float u, const Quaternion& a, const Quaternion& b);

/// The great-circle path, after moving `a` to b's hemisphere; not rescaled.
[[nodiscard]] Quaternion slerp(float u, const Quaternion& a, const Quaternion& b);

/// How the viewer interpolates rotation keys: slerp if their dot product is negative, else lerp.
[[nodiscard]] Quaternion interpolate(float u, const Quaternion& a, const Quaternion& b);
[[nodiscard]] Vector interpolate(float u, const Vector& a, const Vector& b);

[[nodiscard]] inline float dot(const Quaternion& a, const Quaternion& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// The viewer's product: rotates by a, then by b. In Hamilton's order: b (x) a.
[[nodiscard]] Quaternion first_then(const Quaternion& a, const Quaternion& b);

[[nodiscard]] inline Quaternion conjugate(const Quaternion& q) { return {-q.x, -q.y, -q.z, q.w}; }

/// Rotates v: q v q*.
[[nodiscard]] Vector rotated(const Vector& v, const Quaternion& q);

/// A rotation about x (0), y (1) or z (2), with single-precision sine and cosine.
[[nodiscard]] Quaternion about_axis(std::size_t axis, float degrees);

/// Euler angles of version 0.1 in degrees: about z, then y, then x.
[[nodiscard]] Quaternion from_legacy_degrees(float x, float y, float z);
[[nodiscard]] std::array<double, 3> to_legacy_degrees(const glm::dquat& rotation);

// ---- codes of one number ----

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

// ---- keys as played ----

/// Keys as the viewer holds them after loading: times in seconds, and rotations or positions in metres.
template <typename Value>
struct Keys {
    std::vector<float> times;
    std::vector<Value> values;

    [[nodiscard]] bool empty() const { return times.empty(); }
    [[nodiscard]] std::size_t size() const { return times.size(); }
};
using RotationKeys = Keys<Quaternion>;
using PositionKeys = Keys<Vector>;

/// Return the keys in file order, including duplicates.
[[nodiscard]] RotationKeys decode_rotations(const file::KeyList& keys, float duration_seconds);
[[nodiscard]] PositionKeys decode_positions(const file::KeyList& keys, float duration_seconds);

/// Sorts by time. If several keys have the same time, only the last in the file stays, because the viewer
/// keeps keys in a map. No time may be NaN.
template <typename Value>
[[nodiscard]] Keys<Value> as_played(Keys<Value> keys);

extern template RotationKeys as_played(RotationKeys keys);
extern template PositionKeys as_played(PositionKeys keys);

/// The value at a time: between two keys as the viewer interpolates, outside them that of the nearest key.
/// `keys` must come from as_played and not be empty.
template <typename Value>
[[nodiscard]] Value value_at(const Keys<Value>& keys, float seconds);

extern template Quaternion value_at(const RotationKeys& keys, float seconds);
extern template Vector value_at(const PositionKeys& keys, float seconds);

// ---- what an upload changes: the viewer loads the file and stores it again ----
// docs/second-life-format.md, "What an upload changes". E, D and N: encode, decode and to_stored.

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

// ---- codes for new keys ----

/// How edited keys become codes. docs/second-life-accuracy.md lists the measured errors of each encoder.
enum class Encoder : std::uint8_t {
    upload,   ///< smallest error after an upload, in which the viewer loads and stores the file again
    nearest,  ///< smallest error of the file itself: for OpenSim, or files that are not uploaded
    viewer,   ///< the codes that the viewer's own serializer writes
};

/// Encode rotations (any sign, nearly unit) and positions (metres, clamped to 5) at times in seconds; one key
/// of the file for each, in the same order.
[[nodiscard]] std::vector<file::CodedKey> encode_rotations(const RotationKeys& keys, float duration_seconds,
                                                           Encoder encoder);
[[nodiscard]] std::vector<file::CodedKey> encode_positions(const PositionKeys& keys, float duration_seconds,
                                                           Encoder encoder);

/// The code of a time from 0 to the duration.
[[nodiscard]] std::uint16_t encode_key_time(float seconds, float duration_seconds, Encoder encoder);

}  // namespace animbridge::sl_anim::codes
