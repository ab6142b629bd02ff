// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"
#include "formats/bvh/curves.h"
#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"

/// A BVH's joints, and the C interface's reports about them.
namespace animbridge::bvh {

/// Described in animbridge.h at ab_skeleton_json.
[[nodiscard]] Result<Json> skeleton_json(const Document& document, const Placement& placement);

/// The report of ab_curves_from_document. `axes`: the axes that the curves were made with.
[[nodiscard]] Json curves_report(const Document& document, const rig::Armature& armature, const Axes& axes,
                                 const rig::JointMatch& match, const rig::Timing& timing, const Curves& made);

/// The file's joints with the names of bone_names.
[[nodiscard]] std::vector<rig::NamedJoint> named_joints(const Document& document);

}  // namespace animbridge::bvh
