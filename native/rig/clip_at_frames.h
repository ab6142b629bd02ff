// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "rig/armature_skeleton.h"
#include "rig/curves.h"

namespace animbridge::rig {

/// The motion that F-curves give the bones of an armature, over its own skeleton: equals clip_from_samples of
/// the poses that Blender evaluates from these curves at the frames. Each bone has a rotation key at each
/// frame, and a position key if it is the first bone and a root, or leaves its rest position by more than
/// moved_mm. Bones without curves are at rest. ErrorCode::invalid_argument: as in require_frames, or a bone
/// with a parent does not inherit rotation. ErrorCode::bad_value: as in clip_from_curves.
[[nodiscard]] Result<Clip> clip_at_frames(std::span<const CurveView> curves, const ArmatureSkeleton& own,
                                          std::span<const double> frames, const Timing& timing);

}  // namespace animbridge::rig
