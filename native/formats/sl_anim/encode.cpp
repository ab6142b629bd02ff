// SPDX-License-Identifier: MIT
#include "formats/sl_anim/encode.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "formats/sl_anim/restore.h"

// The searches compare 27 candidates a key: the wider registers of newer processors halve the time, and change no result, since neither
// version may fuse or reorder. The sanitizers' runtimes do not support such dispatch.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ANIMBRIDGE_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define ANIMBRIDGE_WIDE
#endif

namespace animbridge::sl_anim {

namespace {

constexpr std::size_t neighbours = 27;  // each component's nearest code and the one on either side
using Lanes = std::array<float, 32>;    // 27, filled up to whole registers
using Codes = std::array<std::array<std::uint16_t, 3>, 3>;

std::uint16_t nearest_code(float value, float low, float high) {
    const double place = (static_cast<double>(value) - low) / (static_cast<double>(high) - low) * static_cast<double>(max_code);
    return place >= 0.0 ? static_cast<std::uint16_t>(std::min(place + 0.5, static_cast<double>(max_code))) : std::uint16_t{0};
}

std::uint16_t shifted(std::uint16_t code, int by) { return static_cast<std::uint16_t>(std::clamp(static_cast<int>(code) + by, 0, 65535)); }

/// The target with w >= 0 and unit length: what the viewer can store.
Quaternion storable(const Quaternion& q) {
    const double length = std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
    const double scale = (std::signbit(q.w) ? -1.0 : 1.0) / (length > 0.0 ? length : 1.0);
    return {static_cast<float>(q.x * scale), static_cast<float>(q.y * scale), static_cast<float>(q.z * scale), static_cast<float>(q.w * scale)};
}

/// Squared chord between the target and the rotation that the lanes' vectors decode to.
ANIMBRIDGE_WIDE void measure(const Quaternion& target, const Lanes& x, const Lanes& y, const Lanes& z, Lanes& error) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float rest = 1.0F - (x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
        const float w = std::sqrt(rest > 0.0F ? rest : 0.0F);
        const float dx = x[i] - target.x;
        const float dy = y[i] - target.y;
        const float dz = z[i] - target.z;
        const float dw = w - target.w;
        error[i] = dx * dx + dy * dy + dz * dz + dw * dw;
    }
}

inline float restored_component(float value) {
    // decode(encode_component(value)) without leaving single precision: codes are small integers, exact as floats.
    const auto requantised = [](float v) {
        float scaled = std::min(std::max(v, -rotation_limit), rotation_limit);
        scaled -= -rotation_limit;
        scaled /= 2.0F * rotation_limit;
        scaled *= max_code;
        float decoded = static_cast<float>(static_cast<std::int32_t>(scaled)) * code_step;
        decoded *= 2.0F * rotation_limit;
        decoded += -rotation_limit;
        return std::fabs(decoded) < 2.0F * rotation_limit * code_step ? 0.0F : decoded;
    };
    return requantised(requantised(value));
}

/// In place: what the viewer stores of each lane's vector, decoded again.
ANIMBRIDGE_WIDE void restore(Lanes& x, Lanes& y, Lanes& z) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float rest = 1.0F - (x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
        const float w = std::sqrt(rest > 0.0F ? rest : 0.0F);
        const float length = std::sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i] + w * w);
        x[i] = restored_component(x[i] / length);
        y[i] = restored_component(y[i] / length);
        z[i] = restored_component(z[i] / length);
    }
}

std::array<std::uint16_t, 3> search_rotation(const Quaternion& target, bool after_upload) {
    const std::array<float, 3> wanted{target.x, target.y, target.z};
    Codes codes{};
    std::array<std::array<float, 3>, 3> values{};
    for (std::size_t c = 0; c < 3; ++c) {
        const std::uint16_t middle = nearest_code(wanted[c], -rotation_limit, rotation_limit);
        for (std::size_t n = 0; n < 3; ++n) {
            codes[c][n] = shifted(middle, static_cast<int>(n) - 1);
            values[c][n] = decode(codes[c][n], -rotation_limit, rotation_limit);
        }
    }
    Lanes x{};
    Lanes y{};
    Lanes z{};
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t lane = i < neighbours ? i : 13;  // the middle again in what is left over
        x[i] = values[0][lane / 9];
        y[i] = values[1][lane / 3 % 3];
        z[i] = values[2][lane % 3];
    }
    if (after_upload) {
        restore(x, y, z);
    }
    Lanes error{};
    measure(target, x, y, z, error);
    std::size_t best = 13;  // of equals the nearest codes stay
    for (std::size_t i = 0; i < neighbours; ++i) {
        best = error[i] < error[best] ? i : best;
    }
    return {codes[0][best / 9], codes[1][best / 3 % 3], codes[2][best % 3]};
}

/// Of the codes about `middle`, the one whose effect is nearest to the wanted value; of equals the nearest code.
template <typename Effect>
std::uint16_t search_code(std::uint16_t middle, float wanted, Effect&& effect) {
    std::uint16_t best = middle;
    double least = std::fabs(static_cast<double>(effect(middle)) - wanted);
    for (const int by : {1, -1, 2}) {
        const std::uint16_t code = shifted(middle, by);
        const double error = std::fabs(static_cast<double>(effect(code)) - wanted);
        if (error < least) {
            least = error;
            best = code;
        }
    }
    return best;
}

std::uint16_t encode_position_component(float value, Encoder encoder) {
    switch (encoder) {
        case Encoder::viewer: return encode_component(value, position_limit);
        case Encoder::nearest: return nearest_code(std::clamp(value, -position_limit, position_limit), -position_limit, position_limit);
        case Encoder::upload: break;
    }
    const auto stored = [](std::uint16_t code) { return decode(restore_position(code), -position_limit, position_limit); };
    return search_code(nearest_code(value, -position_limit, position_limit), std::clamp(value, -position_limit, position_limit), stored);
}

}  // namespace

std::optional<Encoder> encoder_named(std::string_view name) {
    if (name == "upload") {
        return Encoder::upload;
    }
    if (name == "nearest") {
        return Encoder::nearest;
    }
    return name == "viewer" ? std::optional(Encoder::viewer) : std::nullopt;
}

std::uint16_t encode_key_time(float seconds, float duration_seconds, Encoder encoder) {
    if (encoder == Encoder::viewer || !(duration_seconds > 0.0F)) {
        return encode_time(seconds, duration_seconds);
    }
    const std::uint16_t middle = nearest_code(seconds, 0.0F, duration_seconds);
    if (encoder == Encoder::nearest) {
        return middle;
    }
    const auto stored = [&](std::uint16_t code) { return decode_time(restore_time(code, duration_seconds), duration_seconds); };
    return search_code(middle, seconds, stored);
}

std::vector<CodedKey> encode_rotations(const RotationKeys& keys, float duration_seconds, Encoder encoder) {
    std::vector<CodedKey> coded(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        coded[i].time = encode_key_time(keys.times[i], duration_seconds, encoder);
        if (encoder == Encoder::viewer) {
            coded[i].xyz = restore_rotation(keys.values[i]);
        } else {
            coded[i].xyz = search_rotation(storable(keys.values[i]), encoder == Encoder::upload);
        }
    }
    return coded;
}

std::vector<CodedKey> encode_positions(const PositionKeys& keys, float duration_seconds, Encoder encoder) {
    std::vector<CodedKey> coded(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        coded[i].time = encode_key_time(keys.times[i], duration_seconds, encoder);
        std::transform(keys.values[i].begin(), keys.values[i].end(), coded[i].xyz.begin(),
                       [&](float value) { return encode_position_component(value, encoder); });
    }
    return coded;
}

}  // namespace animbridge::sl_anim
