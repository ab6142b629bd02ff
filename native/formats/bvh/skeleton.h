// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"
#include "formats/bvh/curves.h"
#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"

/// A BVH on an armature: what the C interface hands out.
namespace animbridge::bvh {

/// As ab_skeleton_json describes it.
[[nodiscard]] Result<Json> skeleton_json(const Document& document, const Placement& placement);

/// The report of ab_curves_from_document; `axes`: those that the curves were made with.
[[nodiscard]] Json curves_report(const Document& document, const rig::Armature& armature, const Axes& axes,
                                 const rig::JointMatch& match, const rig::Timing& timing, const Curves& made);

/// The file's joints under the names of bone_names.
[[nodiscard]] std::vector<rig::NamedJoint> named_joints(const Document& document);

}  // namespace animbridge::bvh
