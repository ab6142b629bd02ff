// SPDX-License-Identifier: MIT
#pragma once

#include <ufbx.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "formats/scene_file/file/file.h"

/// FBX curves through ufbx, sampled where a curve alone does not say what is shown.
namespace animbridge::scene_child::read {

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
    PartCurves(const ufbx_anim& animation, const ufbx_node& node, scene_file::file::Target target);

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

/// A translation or a scale in the first three numbers, or a rotation: w, x, y, z.
using FbxRow = std::array<double, 4>;

/// One number of a property, at times that mostly ascend: equals ufbx_evaluate_curve, but does not search all
/// keys.
class FbxNumber {
public:
    explicit FbxNumber(const ufbx_anim_curve* curve);

    [[nodiscard]] double at(double time, double without_curve);

private:
    [[nodiscard]] bool go_to(double time);

    const ufbx_anim_curve* curve_;
    FbxKeyCursor cursor_;
    ufbx_anim_curve near_{};  ///< has only the two keys around a time
    double near_begin_ = 0;   ///< valid from here up to near_end_; at first never
    double near_end_ = 0;
};

/// One part of a node's placement at any time.
class FbxPart {
public:
    FbxPart(const ufbx_anim& animation, const ufbx_node& node, scene_file::file::Target target,
            const PartCurves& curves);

    [[nodiscard]] FbxRow at(double time);
    /// Whether one property is the part, apart from constant factors.
    [[nodiscard]] bool is_plain() const { return value_ != nullptr; }

private:
    [[nodiscard]] FbxRow evaluated(double time) const;
    [[nodiscard]] ufbx_vec3 value_at(double time);
    void find_rest(double time);

    const ufbx_anim& animation_;
    const ufbx_node& node_;
    scene_file::file::Target target_;
    /// If one property has all curves, the part is its value combined with the constants below. Else null.
    const ufbx_anim_value* value_ = nullptr;
    std::array<FbxNumber, 3> numbers_;  ///< of that value
    glm::dquat before_{1, 0, 0, 0};     ///< rotation = before_ * the value's * after_
    glm::dquat after_{1, 0, 0, 0};
    ufbx_vec3 offset_{};  ///< translation, scale = the value + offset_
};

/// The keys of one node in one animation of an FBX file: one channel for each part of its placement that
/// moves. `metres_per_unit`: the file's. `keys_left`: how many keys may be added between the file's own;
/// afterwards, how many of them are left. At 0 the keys are not complete.
[[nodiscard]] std::vector<scene_file::file::Channel> sample_node(const ufbx_anim& animation,
                                                                 const ufbx_node& node, std::uint32_t index,
                                                                 double metres_per_unit,
                                                                 std::size_t& keys_left);

}  // namespace animbridge::scene_child::read
