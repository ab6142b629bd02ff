// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

/// The codes of a .anim, written from the format's description independently of the library: single precision
/// where the viewer uses it, double for measuring.
namespace animbridge::test {

struct Range {
    float low;
    float high;
};
inline constexpr Range unit_range{-1.0F, 1.0F};
inline constexpr Range position_range{-5.0F, 5.0F};

inline float spec_decode(unsigned code, Range range) {
    const float step = 1.0F / 65535.0F;
    float v = static_cast<float>(code) * step;
    v = v * (range.high - range.low);
    v = v + range.low;
    if (std::fabs(v) < (range.high - range.low) * step) {
        v = 0.0F;
    }
    return v;
}

inline unsigned spec_encode(float v, Range range) {
    v = std::fmax(range.low, std::fmin(range.high, v));
    v -= range.low;
    v /= range.high - range.low;
    return static_cast<unsigned>(std::floor(v * 65535.0F));
}

/// E(D(E(x)))
inline unsigned spec_component(float v, Range range) {
    return spec_encode(spec_decode(spec_encode(v, range), range), range);
}

using Codes = std::array<std::uint16_t, 3>;
using Quat = std::array<double, 4>;  ///< w, x, y, z

/// A rotation as the viewer loads it: w restored from the vector part, in single precision.
inline Quat spec_rotation(const Codes& codes) {
    const float x = spec_decode(codes[0], unit_range);
    const float y = spec_decode(codes[1], unit_range);
    const float z = spec_decode(codes[2], unit_range);
    const float rest = 1.0F - (x * x + y * y + z * z);
    return {rest > 0.0F ? std::sqrt(rest) : 0.0F, x, y, z};
}

/// E(D(E(N(D(c))))): a rotation's codes after one upload.
inline Codes spec_restored(const Codes& codes) {
    const Quat q = spec_rotation(codes);
    const std::array<float, 4> f = {static_cast<float>(q[1]), static_cast<float>(q[2]),
                                    static_cast<float>(q[3]), static_cast<float>(q[0])};
    const float length = std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2] + f[3] * f[3]);
    Codes stored{};
    for (std::size_t i = 0; i < 3; ++i) {
        stored[i] = static_cast<std::uint16_t>(spec_component(f[i] / length, unit_range));
    }
    return stored;
}

/// E(D(E(D(E(D(c))))))
inline unsigned spec_restored_position(unsigned code) {
    for (int pass = 0; pass < 3; ++pass) {
        code = spec_encode(spec_decode(code, position_range), position_range);
    }
    return code;
}

/// The angle between two rotations in degrees, from the vector part of conj(a) * b.
inline double degrees_between(const Quat& a, const Quat& b) {
    const double w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const double x = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2];
    const double y = a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3];
    const double z = a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1];
    return 2.0 * std::atan2(std::sqrt(x * x + y * y + z * z), std::fabs(w)) * 180.0 / std::numbers::pi;
}

/// A rotation by `degrees` about a random axis; w >= 0 up to 180 degrees.
inline Quat random_turn(std::mt19937& random, double degrees) {
    std::normal_distribution<double> normal;
    std::array<double, 3> axis = {normal(random), normal(random), normal(random)};
    const double length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const double half = degrees * std::numbers::pi / 360.0;
    const double s = std::sin(half) / length;
    return {std::cos(half), axis[0] * s, axis[1] * s, axis[2] * s};
}

}  // namespace animbridge::test
