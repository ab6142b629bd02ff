// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

/// The viewer's single-precision vector and quaternion arithmetic, operation by operation. Based on the
/// published viewer source (llmath/llquaternion.h and .cpp, v3math.h); compiled without fused multiply-add.
namespace animbridge::sl_anim {

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

}  // namespace animbridge::sl_anim
