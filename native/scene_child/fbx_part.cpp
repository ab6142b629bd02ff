// SPDX-License-Identifier: MIT
#include "scene_child/fbx_part.h"

#include "model/clip/clip.h"

namespace animbridge::scene_child {

namespace {

using scene::Target;

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

}  // namespace animbridge::scene_child
