// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "rig/match_joints.h"

/// Finds which way a BVH's character faces relative to an armature.
namespace animbridge::bvh {

/// Returns the axes, rotated by quarter turns about the armature's Z so that the matched joints are nearest
/// to their bones at rest. Keeps the axes unless another rotation is clearly better.
[[nodiscard]] Axes rotated_like(const rig::Armature& armature, const Document& document, const Axes& axes,
                                const rig::JointMatch& match);

}  // namespace animbridge::bvh
