// SPDX-License-Identifier: MIT
#include "formats/sl_anim/viewer_math.h"

namespace animbridge::sl_anim {

Quaternion first_then(const Quaternion& a, const Quaternion& b) {
    return {b.w * a.x + b.x * a.w + b.y * a.z - b.z * a.y, b.w * a.y + b.y * a.w + b.z * a.x - b.x * a.z,
            b.w * a.z + b.z * a.w + b.x * a.y - b.y * a.x, b.w * a.w - b.x * a.x - b.y * a.y - b.z * a.z};
}

Vector rotated(const Vector& v, const Quaternion& q) {
    // q v, then times q*; every sum is in the viewer's order.
    const float w = -q.x * v[0] - q.y * v[1] - q.z * v[2];
    const float x = q.w * v[0] + q.y * v[2] - q.z * v[1];
    const float y = q.w * v[1] + q.z * v[0] - q.x * v[2];
    const float z = q.w * v[2] + q.x * v[1] - q.y * v[0];
    return {-w * q.x + x * q.w - y * q.z + z * q.y, -w * q.y + y * q.w - z * q.x + x * q.z,
            -w * q.z + z * q.w - x * q.y + y * q.x};
}

Quaternion about_axis(std::size_t axis, float degrees) {
    constexpr float radians_per_degree = 0.017453292519943295769F;
    const float half = degrees * radians_per_degree * 0.5F;
    const float sine = std::sin(half);
    return {axis == 0 ? sine : 0.0F, axis == 1 ? sine : 0.0F, axis == 2 ? sine : 0.0F, std::cos(half)};
}

Quaternion lerp(float u, const Quaternion& a, const Quaternion& b) {
    constexpr float tolerated = 0.000001F;
    const float v = 1.0F - u;
    Quaternion q{u * b.x + v * a.x, u * b.y + v * a.y, u * b.z + v * a.z, u * b.w + v * a.w};
    const float length = length_of(q);
    if (!(length > 0.0000001F)) {
        return {};
    }
    if (std::fabs(1.0F - length) > tolerated) {
        const float scale = 1.0F / length;
        q = {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
    }
    return q;
}

Quaternion slerp(float u, const Quaternion& a, const Quaternion& b) {
    const float cosine = dot(a, b);
    const float sign = cosine < 0.0F ? -1.0F : 1.0F;
    const float closeness = cosine * sign;
    float share_a = 1.0F - u;
    float share_b = u;
    // The viewer's own formula, including acos of a value near 1: a player must repeat its rounding.
    if (!(1.0F - closeness < 0.00001F)) {
        const float angle = std::acos(closeness);
        const float sine = std::sin(angle);
        share_a = std::sin(angle - u * angle) / sine;
        share_b = std::sin(u * angle) / sine;
    }
    share_a *= sign;
    return {share_a * a.x + share_b * b.x, share_a * a.y + share_b * b.y, share_a * a.z + share_b * b.z,
            share_a * a.w + share_b * b.w};
}

Quaternion interpolate(float u, const Quaternion& a, const Quaternion& b) {
    return dot(a, b) < 0.0F ? slerp(u, a, b) : lerp(u, a, b);
}

Vector interpolate(float u, const Vector& a, const Vector& b) {
    return {a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u, a[2] + (b[2] - a[2]) * u};
}

Quaternion from_legacy_degrees(float x, float y, float z) {
    return first_then(first_then(about_axis(2, z), about_axis(1, y)), about_axis(0, x));
}

}  // namespace animbridge::sl_anim
