// SPDX-License-Identifier: MIT
#pragma once

#include <ufbx.h>

#include <array>
#include <glm/gtc/quaternion.hpp>

#include "formats/scene/document.h"
#include "scene_child/fbx_curves.h"

namespace animbridge::scene_child {

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
    FbxPart(const ufbx_anim& animation, const ufbx_node& node, scene::Target target,
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
    scene::Target target_;
    /// If one property has all curves, the part is its value combined with the constants below. Else null.
    const ufbx_anim_value* value_ = nullptr;
    std::array<FbxNumber, 3> numbers_;  ///< of that value
    glm::dquat before_{1, 0, 0, 0};     ///< rotation = before_ * the value's * after_
    glm::dquat after_{1, 0, 0, 0};
    ufbx_vec3 offset_{};  ///< translation, scale = the value + offset_
};

}  // namespace animbridge::scene_child
