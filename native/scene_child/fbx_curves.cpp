// SPDX-License-Identifier: MIT
#include "scene_child/fbx_curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace animbridge::scene_child {

namespace {

using scene::Target;

constexpr std::array translation_names = {UFBX_Lcl_Translation, UFBX_RotationOffset, UFBX_RotationPivot,
                                          UFBX_ScalingOffset, UFBX_ScalingPivot};
constexpr std::array rotation_names = {UFBX_Lcl_Rotation, UFBX_PreRotation, UFBX_PostRotation};
constexpr std::array scale_names = {UFBX_Lcl_Scaling};
constexpr std::array weight_names = {UFBX_Weight};

bool is_zero(const ufbx_vec3& v) { return v.x == 0 && v.y == 0 && v.z == 0; }

/// A pivot moves the node when the node turns or scales.
bool has_pivots(const ufbx_node& node) {
    const ufbx_vec3 none{};
    return !is_zero(ufbx_find_vec3(&node.props, UFBX_RotationPivot, none)) ||
           !is_zero(ufbx_find_vec3(&node.props, UFBX_ScalingPivot, none));
}

/// How `curve` behaves between two times without a key between them.
Stretch stretch_of(const ufbx_anim_curve& curve, FbxKeyCursor& cursor, double start, double end) {
    Stretch result;
    const std::span keys = cursor.keys();
    const auto after = keys.begin() + static_cast<std::ptrdiff_t>(cursor.after(start + fbx_same_seconds));
    if (after == keys.begin() || after == keys.end()) {
        const ufbx_extrapolation& beyond =
            after == keys.begin() ? curve.pre_extrapolation : curve.post_extrapolation;
        result.is_still = beyond.mode == UFBX_EXTRAPOLATION_CONSTANT;
        result.repeats = !result.is_still;
        result.is_straight = result.is_still;
        return result;
    }
    const ufbx_keyframe& from = *(after - 1);
    const ufbx_keyframe& to = *after;
    const bool is_start = std::abs(from.time - start) <= fbx_same_seconds;
    const bool is_end = std::abs(to.time - end) <= fbx_same_seconds;
    switch (from.interpolation) {
        case UFBX_INTERPOLATION_CONSTANT_PREV:
            result.jumps_at_end = is_end && from.value != to.value;
            break;
        case UFBX_INTERPOLATION_CONSTANT_NEXT:
            result.jumps_after = is_start && from.value != to.value;
            break;
        case UFBX_INTERPOLATION_LINEAR:
            result.is_still = from.value == to.value;
            result.turn_degrees = std::abs(to.value - from.value);
            break;
        default: {
            const double first = from.value + static_cast<double>(from.right.dy);
            const double second = to.value - static_cast<double>(to.left.dy);
            const auto [low, high] = std::minmax({from.value, first, second, to.value});
            result.is_still = low == high;
            result.is_straight = result.is_still;
            result.turn_degrees = high - low;
            break;
        }
    }
    return result;
}

}  // namespace

std::size_t FbxKeyCursor::after(double time) {
    const auto is_here = [&](std::size_t index) {
        return (index == 0 || !(time < keys_[index - 1].time)) &&
               (index == keys_.size() || time < keys_[index].time);
    };
    if (!is_here(after_)) {
        after_ = after_ < keys_.size() && is_here(after_ + 1)
                     ? after_ + 1
                     : static_cast<std::size_t>(
                           std::ranges::upper_bound(keys_, time, {}, &ufbx_keyframe::time) - keys_.begin());
    }
    return after_;
}

PartCurves::PartCurves(const ufbx_anim& animation, const ufbx_node& node, Target target)
    : own_name_(target == Target::translation ? UFBX_Lcl_Translation
                : target == Target::rotation  ? UFBX_Lcl_Rotation
                                              : UFBX_Lcl_Scaling) {
    const bool pivots = target == Target::translation && has_pivots(node);
    for (const ufbx_anim_layer* layer : std::span(animation.layers.data, animation.layers.count)) {
        const std::size_t before = curves_.size();
        if (target == Target::translation) {
            add(*layer, node.element, translation_names);
        }
        if (target == Target::rotation || pivots) {
            add(*layer, node.element, rotation_names);
        }
        if (target == Target::scale || pivots) {
            add(*layer, node.element, scale_names);
        }
        if (curves_.size() > before && layer->weight_is_animated) {
            add(*layer, layer->element, weight_names);
        }
    }
}

void PartCurves::add(const ufbx_anim_layer& layer, const ufbx_element& element,
                     std::span<const char* const> names) {
    const ufbx_anim_prop_list moved = ufbx_find_anim_props(&layer, &element);
    for (const ufbx_anim_prop& property : std::span(moved.data, moved.count)) {
        const std::string_view name(property.prop_name.data, property.prop_name.length);
        if (std::ranges::find(names, name) == names.end()) {
            continue;
        }
        is_only_ = is_only_ && value_ == nullptr && name == own_name_;
        value_ = property.anim_value;
        for (const ufbx_anim_curve* curve : property.anim_value->curves) {
            if (curve != nullptr && curve->keyframes.count > 0) {
                curves_.push_back(curve);
                cursors_.emplace_back(std::span(curve->keyframes.data, curve->keyframes.count));
            }
        }
    }
}

namespace {

void add_times(std::span<const ufbx_keyframe> keys, std::vector<double>& times) {
    for (const ufbx_keyframe& key : keys) {
        if (std::isfinite(key.time)) {
            times.push_back(key.time);
        }
    }
}

/// Keys outside only shape the curve inside: the range's ends replace them.
void keep_within(const FbxRange& range, std::vector<double>& times) {
    const std::size_t before = times.size();
    std::erase_if(times, [&](double time) {
        return time < range.begin_seconds - fbx_same_seconds || time > range.end_seconds + fbx_same_seconds;
    });
    if (times.size() != before) {
        times.push_back(range.begin_seconds);
        times.push_back(range.end_seconds);
    }
}

}  // namespace

std::optional<FbxRange> range_of(const ufbx_anim& animation) {
    const bool lasts = std::isfinite(animation.time_begin) && std::isfinite(animation.time_end) &&
                       animation.time_end - animation.time_begin > fbx_same_seconds;
    return lasts ? std::optional(FbxRange{animation.time_begin, animation.time_end}) : std::nullopt;
}

std::vector<double> PartCurves::times(const ufbx_anim& animation) const {
    std::vector<double> result;
    bool goes_on = false;
    std::span<const ufbx_keyframe> before;
    for (const ufbx_anim_curve* curve : curves_) {
        const std::span<const ufbx_keyframe> keys(curve->keyframes.data, curve->keyframes.count);
        // Usually the curves of a part have their keys at the same times.
        if (!std::ranges::equal(keys, before, {}, &ufbx_keyframe::time, &ufbx_keyframe::time)) {
            add_times(keys, result);
        }
        before = keys;
        goes_on = goes_on || curve->pre_extrapolation.mode != UFBX_EXTRAPOLATION_CONSTANT ||
                  curve->post_extrapolation.mode != UFBX_EXTRAPOLATION_CONSTANT;
    }
    if (goes_on) {
        result.push_back(animation.time_begin);
        result.push_back(animation.time_end);
    }
    if (const auto range = range_of(animation)) {
        keep_within(*range, result);
    }
    std::ranges::sort(result);
    const auto same = [](double a, double b) { return b - a <= fbx_same_seconds; };
    result.erase(std::unique(result.begin(), result.end(), same), result.end());
    return result;
}

Stretch PartCurves::between(double start, double end) {
    Stretch result;
    for (std::size_t i = 0; i < curves_.size(); ++i) {
        const Stretch one = stretch_of(*curves_[i], cursors_[i], start, end);
        result.is_still = result.is_still && one.is_still;
        result.jumps_after = result.jumps_after || one.jumps_after;
        result.jumps_at_end = result.jumps_at_end || one.jumps_at_end;
        result.repeats = result.repeats || one.repeats;
        result.is_straight = result.is_straight && one.is_straight;
        result.turn_degrees += one.turn_degrees;
    }
    return result;
}

}  // namespace animbridge::scene_child
