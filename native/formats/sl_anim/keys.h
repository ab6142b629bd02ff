// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "formats/sl_anim/document.h"
#include "formats/sl_anim/viewer_math.h"

namespace animbridge::sl_anim {

/// Keys as the viewer holds them after loading: times in seconds, and rotations or positions in metres.
/// Single precision, as in the viewer.
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
[[nodiscard]] RotationKeys decode_rotations(const KeyList& keys, float duration_seconds);
[[nodiscard]] PositionKeys decode_positions(const KeyList& keys, float duration_seconds);

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

}  // namespace animbridge::sl_anim
