// SPDX-License-Identifier: MIT
#include "scene_child/read/fbx.h"

#include <algorithm>
#include <cmath>

#include "model/clip/clip.h"

namespace animbridge::scene_child::read {

namespace {

using scene_file::file::Target;

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

namespace {

glm::dquat quaternion_of(const ufbx_quat& q) { return {q.w, q.x, q.y, q.z}; }

glm::dquat quaternion_of(const FbxRow& row) { return {row[0], row[1], row[2], row[3]}; }

/// Whether ufbx adds nothing to a layer's values for a node.
bool adds_nothing(const ufbx_anim& animation, const ufbx_node& node) {
    return animation.layers.count == 1 && animation.prop_overrides.count == 0 &&
           animation.transform_overrides.count == 0 && !animation.layers.data[0]->weight_is_animated &&
           animation.layers.data[0]->weight == 1.0 && !node.has_adjust_transform &&
           node.adjust_mirror_axis == UFBX_MIRROR_AXIS_NONE;
}

/// The property that equals the part; else null.
const ufbx_anim_value* value_alone(const ufbx_anim& animation, const ufbx_node& node,
                                   const PartCurves& curves) {
    return adds_nothing(animation, node) && node.rotation_order != UFBX_ROTATION_ORDER_SPHERIC
               ? curves.only_value()
               : nullptr;
}

FbxNumber number_of(const ufbx_anim_value* value, std::size_t index) {
    return FbxNumber(value == nullptr ? nullptr : value->curves[index]);
}

}  // namespace

FbxNumber::FbxNumber(const ufbx_anim_curve* curve)
    : curve_(curve),
      cursor_(curve == nullptr
                  ? std::span<const ufbx_keyframe>()
                  : std::span<const ufbx_keyframe>(curve->keyframes.data, curve->keyframes.count)) {
    if (curve != nullptr) {
        near_ = *curve;
    }
}

double FbxNumber::at(double time, double without_curve) {
    const bool is_near = near_begin_ <= time && time < near_end_;
    if (!is_near && !go_to(time)) {
        return curve_ == nullptr ? without_curve : ufbx_evaluate_curve(curve_, time, without_curve);
    }
    return ufbx_evaluate_curve(&near_, time, without_curve);
}

/// Finds the two keys around a time; false: there are not two.
bool FbxNumber::go_to(double time) {
    const auto keys = cursor_.keys();
    const bool is_between = keys.size() > 1 && keys.front().time <= time && time < keys.back().time;
    const std::size_t after = is_between ? cursor_.after(time) : 0;
    if (after == 0 || after == keys.size()) {
        return false;
    }
    near_.keyframes.data = curve_->keyframes.data + after - 1;
    near_.keyframes.count = 2;
    near_begin_ = keys[after - 1].time;
    near_end_ = keys[after].time;
    return true;
}

FbxPart::FbxPart(const ufbx_anim& animation, const ufbx_node& node, Target target, const PartCurves& curves)
    : animation_(animation),
      node_(node),
      target_(target),
      value_(value_alone(animation, node, curves)),
      numbers_{number_of(value_, 0), number_of(value_, 1), number_of(value_, 2)} {
    if (value_ != nullptr) {
        find_rest(animation.time_begin);
    }
}

ufbx_vec3 FbxPart::value_at(double time) {
    const ufbx_vec3& without = value_->default_value;
    return {{{numbers_[0].at(time, without.x), numbers_[1].at(time, without.y),
              numbers_[2].at(time, without.z)}}};
}

/// Computes the constant factors from the whole at one time.
void FbxPart::find_rest(double time) {
    const FbxRow whole = evaluated(time);
    const ufbx_vec3 value = value_at(time);
    if (target_ != Target::rotation) {
        offset_.x = whole[0] - value.x;
        offset_.y = whole[1] - value.y;
        offset_.z = whole[2] - value.z;
        return;
    }
    const ufbx_vec3 pre = ufbx_find_vec3(&node_.props, UFBX_PreRotation, {});
    before_ = quaternion_of(ufbx_euler_to_quat(pre, UFBX_ROTATION_ORDER_XYZ));
    const glm::dquat own = quaternion_of(ufbx_euler_to_quat(value, node_.rotation_order));
    after_ = glm::conjugate(before_ * own) * quaternion_of(whole);
}

FbxRow FbxPart::at(double time) {
    if (value_ == nullptr) {
        return evaluated(time);
    }
    const ufbx_vec3 value = value_at(time);
    if (target_ != Target::rotation) {
        return {value.x + offset_.x, value.y + offset_.y, value.z + offset_.z, 0};
    }
    const glm::dquat own = quaternion_of(ufbx_euler_to_quat(value, node_.rotation_order));
    const glm::dquat q = product(product(before_, own), after_);
    return {q.w, q.x, q.y, q.z};
}

FbxRow FbxPart::evaluated(double time) const {
    constexpr unsigned always = UFBX_TRANSFORM_FLAG_EXPLICIT_INCLUDES;
    if (target_ == Target::rotation) {
        const ufbx_quat q = ufbx_evaluate_transform_flags(&animation_, &node_, time,
                                                          always | UFBX_TRANSFORM_FLAG_INCLUDE_ROTATION)
                                .rotation;
        return {q.w, q.x, q.y, q.z};
    }
    const bool is_scale = target_ == Target::scale;
    const unsigned wanted =
        is_scale ? UFBX_TRANSFORM_FLAG_INCLUDE_SCALE : UFBX_TRANSFORM_FLAG_INCLUDE_TRANSLATION;
    const ufbx_transform found = ufbx_evaluate_transform_flags(&animation_, &node_, time, always | wanted);
    const ufbx_vec3 v = is_scale ? found.scale : found.translation;
    return {v.x, v.y, v.z, 0};
}

}  // namespace animbridge::scene_child::read
