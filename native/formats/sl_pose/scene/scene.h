// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/options/options.h"
#include "formats/sl_pose/play/play.h"
#include "rig/exchange/exchange.h"

/// A pose on an armature, and what an armature shows as a pose. Joints' scales are the bones' scales.
namespace animbridge::sl_pose::scene {

/// Curves with one key each, at the first frame. The report is that of clip_curves_report.
[[nodiscard]] Result<CurvesMade> to_curves(const file::Document& document, const ToCurves& request);
/// Those of clip::to_clip_options, and "whole".
[[nodiscard]] std::span<const Option> import_options();

/// The first sample as a pose. If it shows what the template does, it is the template; joints that differ get
/// new numbers in it, and the rest of it stays. Without samples, the first moment of the curves, without
/// scales. The report has "program", "version", "joints", "changed_joints" (null without a template),
/// "left_out", "warnings", "size_bytes", "findings", "max_position_error_mm" and
/// "max_rotation_error_degrees".
[[nodiscard]] Result<Made> from_scene(const SceneMotion& motion);
[[nodiscard]] std::span<const Option> export_options();

// ---- the mapped bones of an armature as joints ----

/// What a bone shows, in the joint's terms.
struct BoneShown {
    std::size_t joint = 0;
    Transform local{};          ///< as play::Shown has it
    glm::dvec3 scale{1, 1, 1};  ///< of the bone, along its own axes
    glm::dmat3 above{1.0};      ///< the scaled axes in which the joint has its position
};

/// How a joint's scale is its bone's. A bone is scaled along its own axes, without shear. A negative scale
/// would mirror all bones below, and one of 0 take their directions: a bone has the size, and a trace of it.
class ScaleSpace {
public:
    ScaleSpace(std::size_t joint, const rig::armature::Bone& bone, rig::armature::Facing facing);

    /// Relative to the rest scale of the joint.
    [[nodiscard]] glm::dvec3 to_bone(const glm::dvec3& factors) const;
    [[nodiscard]] glm::dvec3 to_joint(const glm::dvec3& factors) const;

private:
    glm::dmat3 squares_{1.0};  ///< of the bone's axes in the joint's
};

/// The joints of the bones in a pose. `matrices`: [bone][16], column-major, armature space; `scales`: per
/// bone. A joint keeps its movement from its rest pose, whatever the proportions of the armature.
/// ErrorCode::bad_value names the bone whose matrix is not a transform.
[[nodiscard]] Result<std::vector<BoneShown>> joints_of(const rig::armature::MappedRig& rig,
                                                       std::span<const float> matrices,
                                                       std::span<const glm::dvec3> scales);

}  // namespace animbridge::sl_pose::scene
