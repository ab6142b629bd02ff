// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"
#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "rig/bvh_curves.h"

/// A BVH on an armature: what the C interface hands out.
namespace animbridge {

/// As ab_bvh_skeleton_json describes it.
[[nodiscard]] Result<Json> bvh_skeleton_json(const bvh::Document& document, const bvh::Placement& placement);

/// The report of ab_curves_from_bvh; `axes`: those that the curves were made with.
[[nodiscard]] Json bvh_curves_report(const bvh::Document& document, const rig::Armature& armature,
                                     const bvh::Axes& axes, const rig::JointMatch& match,
                                     const rig::Timing& timing, const rig::CurvesFromBvh& made);

/// The file's joints under the names of bone_names.
[[nodiscard]] std::vector<rig::NamedJoint> named_joints(const bvh::Document& document);

}  // namespace animbridge
