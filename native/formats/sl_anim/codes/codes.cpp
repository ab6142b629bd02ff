// SPDX-License-Identifier: MIT
#include "formats/sl_anim/codes/codes.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <numbers>
#include <numeric>

#include "formats/sl_anim/codes/rotation_kernels.h"

namespace animbridge::sl_anim::codes {

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

std::array<double, 3> to_legacy_degrees(const glm::dquat& rotation) {
    const glm::dquat q = glm::normalize(rotation);
    const double sine_y = 2.0 * (q.x * q.z + q.w * q.y);
    const double cosine_y = std::hypot(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y - q.w * q.z));
    const double y = std::atan2(sine_y, cosine_y);
    double x = 0.0;
    double z = 0.0;
    if (cosine_y > 1e-7) {
        x = std::atan2(2.0 * (q.w * q.x - q.y * q.z), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
        z = std::atan2(2.0 * (q.w * q.z - q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
    } else {
        // With y at plus or minus 90 degrees, only the sum of the other two angles matters.
        x = 2.0 * std::atan2(q.x, q.w);
    }
    constexpr double degrees = 180.0 / std::numbers::pi;
    return {x * degrees, y * degrees, z * degrees};
}

namespace {

Vector position_of(const file::CodedKey& key) {
    return {decode(key.xyz[0], -position_limit, position_limit),
            decode(key.xyz[1], -position_limit, position_limit),
            decode(key.xyz[2], -position_limit, position_limit)};
}

Vector position_of(const file::LegacyKey& key) {
    // The viewer clamps the positions of version 0.1 when it loads them.
    const auto clamped = [](RawFloat value) {
        return std::clamp(value.value(), -position_limit, position_limit);
    };
    return {clamped(key.xyz[0]), clamped(key.xyz[1]), clamped(key.xyz[2])};
}

float time_of(const file::CodedKey& key, float duration) { return decode_time(key.time, duration); }
float time_of(const file::LegacyKey& key, float /*duration*/) { return key.time_seconds.value(); }

/// Decodes keys of version 1.0, one block at a time.
RotationKeys decode_coded_rotations(const std::vector<file::CodedKey>& list, float duration) {
    RotationKeys keys;
    keys.times.resize(list.size());
    keys.values.resize(list.size());
    CodeBlock codes{};
    RotationBlock block{};
    for (std::size_t first = 0; first < list.size(); first += block_keys) {
        const std::size_t count = std::min(block_keys, list.size() - first);
        for (std::size_t i = 0; i < count; ++i) {
            const file::CodedKey& key = list[first + i];
            codes.x[i] = key.xyz[0];
            codes.y[i] = key.xyz[1];
            codes.z[i] = key.xyz[2];
            keys.times[first + i] = decode_time(key.time, duration);
        }
        decode_block(codes, block);
        for (std::size_t i = 0; i < count; ++i) {
            keys.values[first + i] = {block.x[i], block.y[i], block.z[i], block.w[i]};
        }
    }
    return keys;
}

}  // namespace

RotationKeys decode_rotations(const file::KeyList& keys, float duration_seconds) {
    RotationKeys decoded = decode_coded_rotations(keys.coded, duration_seconds);
    for (const file::LegacyKey& key : keys.legacy) {
        decoded.times.push_back(key.time_seconds.value());
        decoded.values.push_back(
            from_legacy_degrees(key.xyz[0].value(), key.xyz[1].value(), key.xyz[2].value()));
    }
    return decoded;
}

PositionKeys decode_positions(const file::KeyList& keys, float duration_seconds) {
    PositionKeys decoded;
    decoded.times.reserve(file::key_count(keys));
    decoded.values.reserve(file::key_count(keys));
    const auto append = [&](const auto& list) {
        for (const auto& key : list) {
            decoded.times.push_back(time_of(key, duration_seconds));
            decoded.values.push_back(position_of(key));
        }
    };
    append(keys.coded);
    append(keys.legacy);
    return decoded;
}

template <typename Value>
Keys<Value> as_played(Keys<Value> keys) {
    const auto not_ascending = [](float left, float right) { return !(left < right); };
    if (std::ranges::adjacent_find(keys.times, not_ascending) == keys.times.end()) {
        return keys;
    }
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return keys.times[a] < keys.times[b]; });
    Keys<Value> played;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool last_of_its_time =
            i + 1 == order.size() || keys.times[order[i]] != keys.times[order[i + 1]];
        if (last_of_its_time) {
            played.times.push_back(keys.times[order[i]]);
            played.values.push_back(keys.values[order[i]]);
        }
    }
    return played;
}

template RotationKeys as_played(RotationKeys keys);
template PositionKeys as_played(PositionKeys keys);

template <typename Value>
Value value_at(const Keys<Value>& keys, float seconds) {
    const auto right =
        static_cast<std::size_t>(std::ranges::lower_bound(keys.times, seconds) - keys.times.begin());
    if (right == keys.size()) {
        return keys.values.back();
    }
    if (right == 0 || keys.times[right] == seconds) {
        return keys.values[right];
    }
    const float before = keys.times[right - 1];
    const float u = (seconds - before) / (keys.times[right] - before);
    return interpolate(u, keys.values[right - 1], keys.values[right]);
}

template Quaternion value_at(const RotationKeys& keys, float seconds);
template Vector value_at(const PositionKeys& keys, float seconds);

}  // namespace animbridge::sl_anim::codes
