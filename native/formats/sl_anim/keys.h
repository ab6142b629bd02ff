// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "formats/sl_anim/document.h"
#include "formats/sl_anim/viewer_math.h"

namespace animbridge::sl_anim {

/// Keys as the viewer has them after loading: seconds, and a rotation or a position in metres. Single
/// precision, as there.
template <typename Value>
struct Keys {
    std::vector<float> times;
    std::vector<Value> values;

    [[nodiscard]] bool empty() const { return times.empty(); }
    [[nodiscard]] std::size_t size() const { return times.size(); }
};
using RotationKeys = Keys<Quaternion>;
using PositionKeys = Keys<Vector>;

/// In file order, duplicates included.
[[nodiscard]] RotationKeys decode_rotations(const KeyList& keys, float duration_seconds);
[[nodiscard]] PositionKeys decode_positions(const KeyList& keys, float duration_seconds);

/// By time, and of equal times the last in the file: the viewer keeps keys in a map. `keys` without
/// not-a-number times.
template <typename Value>
[[nodiscard]] Keys<Value> as_played(Keys<Value> keys);

extern template RotationKeys as_played(RotationKeys keys);
extern template PositionKeys as_played(PositionKeys keys);

/// The value at a time: the key at exactly that time, between two keys as the viewer interpolates, the end
/// keys beyond. `keys` as_played, not empty.
template <typename Value>
[[nodiscard]] Value value_at(const Keys<Value>& keys, float seconds);

extern template Quaternion value_at(const RotationKeys& keys, float seconds);
extern template Vector value_at(const PositionKeys& keys, float seconds);

}  // namespace animbridge::sl_anim
