// SPDX-License-Identifier: MIT
#include "formats/sl_anim/keys.h"

#include <algorithm>
#include <numeric>

#include "formats/sl_anim/quantise.h"
#include "formats/sl_anim/rotation_kernels.h"

namespace animbridge::sl_anim {

namespace {

Vector position_of(const CodedKey& key) {
    return {decode(key.xyz[0], -position_limit, position_limit),
            decode(key.xyz[1], -position_limit, position_limit),
            decode(key.xyz[2], -position_limit, position_limit)};
}

Vector position_of(const LegacyKey& key) {
    // The viewer clamps the positions of version 0.1 when it loads them.
    const auto clamped = [](RawFloat value) {
        return std::clamp(value.value(), -position_limit, position_limit);
    };
    return {clamped(key.xyz[0]), clamped(key.xyz[1]), clamped(key.xyz[2])};
}

float time_of(const CodedKey& key, float duration) { return decode_time(key.time, duration); }
float time_of(const LegacyKey& key, float /*duration*/) { return key.time_seconds.value(); }

/// Decodes keys of version 1.0, one block at a time.
RotationKeys decode_coded_rotations(const std::vector<CodedKey>& list, float duration) {
    RotationKeys keys;
    keys.times.resize(list.size());
    keys.values.resize(list.size());
    CodeBlock codes{};
    RotationBlock block{};
    for (std::size_t first = 0; first < list.size(); first += block_keys) {
        const std::size_t count = std::min(block_keys, list.size() - first);
        for (std::size_t i = 0; i < count; ++i) {
            const CodedKey& key = list[first + i];
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

RotationKeys decode_rotations(const KeyList& keys, float duration_seconds) {
    RotationKeys decoded = decode_coded_rotations(keys.coded, duration_seconds);
    for (const LegacyKey& key : keys.legacy) {
        decoded.times.push_back(key.time_seconds.value());
        decoded.values.push_back(
            from_legacy_degrees(key.xyz[0].value(), key.xyz[1].value(), key.xyz[2].value()));
    }
    return decoded;
}

PositionKeys decode_positions(const KeyList& keys, float duration_seconds) {
    PositionKeys decoded;
    decoded.times.reserve(key_count(keys));
    decoded.values.reserve(key_count(keys));
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
    if (std::adjacent_find(keys.times.begin(), keys.times.end(), not_ascending) == keys.times.end()) {
        return keys;
    }
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
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
    const auto right = static_cast<std::size_t>(
        std::lower_bound(keys.times.begin(), keys.times.end(), seconds) - keys.times.begin());
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

}  // namespace animbridge::sl_anim
