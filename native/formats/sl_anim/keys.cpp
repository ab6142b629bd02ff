// SPDX-License-Identifier: MIT
#include "formats/sl_anim/keys.h"

#include <algorithm>
#include <numeric>

#include "formats/sl_anim/quantise.h"

namespace animbridge::sl_anim {

namespace {

Quaternion rotation_of(const CodedKey& key) {
    return from_stored(decode(key.xyz[0], -rotation_limit, rotation_limit), decode(key.xyz[1], -rotation_limit, rotation_limit),
                       decode(key.xyz[2], -rotation_limit, rotation_limit));
}

Quaternion rotation_of(const LegacyKey& key) { return from_legacy_degrees(key.xyz[0].value(), key.xyz[1].value(), key.xyz[2].value()); }

Vector position_of(const CodedKey& key) {
    return {decode(key.xyz[0], -position_limit, position_limit), decode(key.xyz[1], -position_limit, position_limit),
            decode(key.xyz[2], -position_limit, position_limit)};
}

Vector position_of(const LegacyKey& key) {
    // The viewer clamps the positions of old files when it loads them.
    const auto clamped = [](RawFloat value) { return std::clamp(value.value(), -position_limit, position_limit); };
    return {clamped(key.xyz[0]), clamped(key.xyz[1]), clamped(key.xyz[2])};
}

float time_of(const CodedKey& key, float duration) { return decode_time(key.time, duration); }
float time_of(const LegacyKey& key, float /*duration*/) { return key.time_seconds.value(); }

template <typename Value, typename ValueOf>
Keys<Value> decode_all(const KeyList& keys, float duration, ValueOf&& value_of) {
    return std::visit(
        [&](const auto& list) {
            Keys<Value> decoded;
            decoded.times.resize(list.size());
            decoded.values.resize(list.size());
            for (std::size_t i = 0; i < list.size(); ++i) {
                decoded.times[i] = time_of(list[i], duration);
                decoded.values[i] = value_of(list[i]);
            }
            return decoded;
        },
        keys);
}

}  // namespace

RotationKeys decode_rotations(const KeyList& keys, float duration_seconds) {
    return decode_all<Quaternion>(keys, duration_seconds, [](const auto& key) { return rotation_of(key); });
}

PositionKeys decode_positions(const KeyList& keys, float duration_seconds) {
    return decode_all<Vector>(keys, duration_seconds, [](const auto& key) { return position_of(key); });
}

template <typename Value>
Keys<Value> as_played(Keys<Value> keys) {
    const auto not_ascending = [](float left, float right) { return !(left < right); };
    if (std::adjacent_find(keys.times.begin(), keys.times.end(), not_ascending) == keys.times.end()) {
        return keys;
    }
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys.times[a] < keys.times[b]; });
    Keys<Value> played;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool last_of_its_time = i + 1 == order.size() || keys.times[order[i]] != keys.times[order[i + 1]];
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
    const auto right = static_cast<std::size_t>(std::lower_bound(keys.times.begin(), keys.times.end(), seconds) - keys.times.begin());
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
