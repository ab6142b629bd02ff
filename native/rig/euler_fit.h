// SPDX-License-Identifier: MIT
#pragma once

#include "rig/curves.h"

/// Between keys a clip lerps quaternions and normalises, Blender lerps Euler angles each by itself: inserted
/// keys make the one follow the other.
namespace animbridge::rig {

/// How far Euler curves may stray from what the player shows, in degrees.
inline constexpr double euler_tolerance_degrees = 0.01;

struct EulerCurves {
    BoneCurves curves;
    double stray_degrees = 0;  ///< the most that remains between the keys
    double stray_frame = 0;    ///< about where that is
};

/// A rotation track as Euler curves of the bone: angles continuous, those of each key the nearest to the key
/// before it. Near gimbal lock inserted keys come no closer than twice merge_distance_frames, and what
/// remains is told.
[[nodiscard]] EulerCurves euler_curves(const Track& track, const BoneSpace& space, std::size_t bone,
                                       BoneChannel order, const Timing& timing);

}  // namespace animbridge::rig
