// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "rig/match_joints.h"

/// Which way a BVH's character looks beside an armature's.
namespace animbridge::rig {

/// The axes, turned about the armature's Z by as many quarters as make the matched joints rest most nearly
/// where their bones do; as they are where another turn is no better.
[[nodiscard]] bvh::Axes turned_like(const Armature& armature, const bvh::Document& document,
                                    const bvh::Axes& axes, const JointMatch& match);

}  // namespace animbridge::rig
