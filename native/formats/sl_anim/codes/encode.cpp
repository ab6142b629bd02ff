// SPDX-License-Identifier: MIT
#include "formats/sl_anim/codes/codes.h"

#include <algorithm>
#include <span>

#include "formats/sl_anim/codes/rotation_kernels.h"

namespace animbridge::sl_anim::codes {

namespace {

std::uint16_t nearest_code(float value, float low, float high) {
    const double place = (static_cast<double>(value) - low) / (static_cast<double>(high) - low) *
                         static_cast<double>(max_code);
    return place >= 0.0 ? static_cast<std::uint16_t>(std::min(place + 0.5, static_cast<double>(max_code)))
                        : std::uint16_t{0};
}

std::uint16_t shifted(std::uint16_t code, int by) {
    return static_cast<std::uint16_t>(std::clamp(static_cast<int>(code) + by, 0, 65535));
}

/// The target as the viewer can store it: w >= 0 and unit length.
Quaternion storable(const Quaternion& q) {
    const double length =
        std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
    const double scale = (std::signbit(q.w) ? -1.0 : 1.0) / (length > 0.0 ? length : 1.0);
    return {static_cast<float>(q.x * scale), static_cast<float>(q.y * scale), static_cast<float>(q.z * scale),
            static_cast<float>(q.w * scale)};
}

/// Copies keys to lanes; spare lanes repeat the first key.
void fill_block(std::span<const Quaternion> rotations, Encoder encoder, RotationBlock& block) {
    for (std::size_t i = 0; i < block_keys; ++i) {
        const Quaternion& rotation = rotations[i < rotations.size() ? i : 0];
        const Quaternion q = encoder == Encoder::viewer ? rotation : storable(rotation);
        block.x[i] = q.x;
        block.y[i] = q.y;
        block.z[i] = q.z;
        block.w[i] = q.w;
    }
}

std::array<std::uint16_t, 3> xyz_of(const CodeBlock& codes, std::size_t i) {
    return {static_cast<std::uint16_t>(codes.x[i]), static_cast<std::uint16_t>(codes.y[i]),
            static_cast<std::uint16_t>(codes.z[i])};
}

/// Among the codes around `middle`, the one whose effect is nearest to `wanted`; ties go to the code nearest
/// to `middle`. `settled`: the effect of `middle` if storing does not change it.
template <typename Effect>
std::uint16_t search_code(std::uint16_t middle, float settled, float wanted, Effect&& effect) {
    if (effect(middle) == settled) {
        return middle;  // storing does not change it, and no other code is nearer
    }
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
        case Encoder::viewer:
            return encode_component(value, position_limit);
        case Encoder::nearest:
            return nearest_code(std::clamp(value, -position_limit, position_limit), -position_limit,
                                position_limit);
        case Encoder::upload:
            break;
    }
    const auto stored = [](std::uint16_t code) {
        return decode(restore_position(code), -position_limit, position_limit);
    };
    const float wanted = std::clamp(value, -position_limit, position_limit);
    const std::uint16_t middle = nearest_code(wanted, -position_limit, position_limit);
    return search_code(middle, decode(middle, -position_limit, position_limit), wanted, stored);
}

}  // namespace

std::uint16_t encode_key_time(float seconds, float duration_seconds, Encoder encoder) {
    if (encoder == Encoder::viewer || !(duration_seconds > 0.0F)) {
        return encode_time(seconds, duration_seconds);
    }
    const std::uint16_t middle = nearest_code(seconds, 0.0F, duration_seconds);
    if (encoder == Encoder::nearest) {
        return middle;
    }
    const auto stored = [&](std::uint16_t code) {
        return decode_time(restore_time(code, duration_seconds), duration_seconds);
    };
    return search_code(middle, decode_time(middle, duration_seconds), seconds, stored);
}

std::vector<file::CodedKey> encode_rotations(const RotationKeys& keys, float duration_seconds,
                                             Encoder encoder) {
    std::vector<file::CodedKey> coded(keys.size());
    RotationBlock block{};
    CodeBlock codes{};
    for (std::size_t first = 0; first < keys.size(); first += block_keys) {
        const std::size_t count = std::min(block_keys, keys.size() - first);
        fill_block(std::span(keys.values).subspan(first, count), encoder, block);
        if (encoder == Encoder::viewer) {
            viewer_codes(block, codes);
        } else {
            search_codes(block, encoder == Encoder::upload, codes);
        }
        for (std::size_t i = 0; i < count; ++i) {
            coded[first + i] = {encode_key_time(keys.times[first + i], duration_seconds, encoder),
                                xyz_of(codes, i)};
        }
    }
    return coded;
}

std::vector<file::CodedKey> encode_positions(const PositionKeys& keys, float duration_seconds,
                                             Encoder encoder) {
    std::vector<file::CodedKey> coded(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        coded[i].time = encode_key_time(keys.times[i], duration_seconds, encoder);
        std::ranges::transform(keys.values[i], coded[i].xyz.begin(),
                               [&](float value) { return encode_position_component(value, encoder); });
    }
    return coded;
}

}  // namespace animbridge::sl_anim::codes
