// SPDX-License-Identifier: MIT
#pragma once

#include <ufbx.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "formats/scene/document.h"

namespace animbridge::scene_child {

/// The file's times are multiples of 2e-11 seconds; times closer than this are equal.
inline constexpr double fbx_same_seconds = 1e-7;

/// The beginning and end of a take, in the file's time. A take may show only a part of its curves.
struct FbxRange {
    double begin_seconds = 0;
    double end_seconds = 0;
};
/// nullopt: the file has no range with a length.
[[nodiscard]] std::optional<FbxRange> range_of(const ufbx_anim& animation);

/// Finds times that mostly ascend among the keys of a curve, without a search per step.
class FbxKeyCursor {
public:
    explicit FbxKeyCursor(std::span<const ufbx_keyframe> keys) : keys_(keys) {}

    /// The index of the first key after a time, as in std::upper_bound; the count if there is none.
    [[nodiscard]] std::size_t after(double time);
    [[nodiscard]] std::span<const ufbx_keyframe> keys() const { return keys_; }

private:
    std::span<const ufbx_keyframe> keys_;
    std::size_t after_ = 0;
};

/// How the curves of one part behave between two times.
struct Stretch {
    bool is_still = true;       ///< no curve moves before the end
    bool jumps_after = false;   ///< a curve jumps right after the start
    bool jumps_at_end = false;  ///< a curve holds a value until the end and has another one there
    bool repeats = false;       ///< a curve continues beyond its keys, so its ends say nothing about the rest
    bool is_straight = true;    ///< curves that move are lines
    double turn_degrees = 0;    ///< an upper bound for the change of Euler angles, for curves of rotations
};

/// The curves that one part of a node's placement depends on.
class PartCurves {
public:
    /// `target` of `node` in all layers of `animation`.
    PartCurves(const ufbx_anim& animation, const ufbx_node& node, scene::Target target);

    [[nodiscard]] bool empty() const { return curves_.empty(); }
    /// The node's own property that has all curves, if it is the only one, in one layer; else null.
    [[nodiscard]] const ufbx_anim_value* only_value() const { return is_only_ ? value_ : nullptr; }
    /// The times, increasing, at which a curve has a key within the animation's range, and the range's ends
    /// if a curve moves beyond them or continues beyond its keys.
    [[nodiscard]] std::vector<double> times(const ufbx_anim& animation) const;
    /// For times that mostly ascend.
    [[nodiscard]] Stretch between(double start, double end);

private:
    void add(const ufbx_anim_layer& layer, const ufbx_element& element, std::span<const char* const> names);

    std::vector<const ufbx_anim_curve*> curves_;
    std::vector<FbxKeyCursor> cursors_;  ///< one for each curve
    std::string_view own_name_;
    const ufbx_anim_value* value_ = nullptr;
    bool is_only_ = true;
};

}  // namespace animbridge::scene_child
