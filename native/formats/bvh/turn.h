// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "rig/match_joints.h"

/// Which way a BVH's character looks beside an armature's.
namespace animbridge::bvh {

/// The axes, turned about the armature's Z by as many quarters as make the matched joints rest most nearly
/// where their bones do; as they are where another turn is no better.
[[nodiscard]] Axes turned_like(const rig::Armature& armature, const Document& document, const Axes& axes,
                               const rig::JointMatch& match);

}  // namespace animbridge::bvh
