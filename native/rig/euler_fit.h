// SPDX-License-Identifier: MIT
#pragma once

#include "rig/curves.h"

/// Between keys, a clip interpolates quaternions and Blender interpolates each Euler angle. Inserted keys
/// make the Euler curves follow the clip.
namespace animbridge::rig {

/// The largest allowed error of Euler curves against the player, in degrees.
inline constexpr double euler_tolerance_degrees = 0.01;

struct EulerCurves {
    BoneCurves curves;
    double error_degrees = 0;  ///< the largest error between the keys
    double error_frame = 0;    ///< the approximate frame of that error
};

/// A rotation track as Euler curves of the bone. Angles are continuous: each key has the angles closest to
/// those of the key before. Inserted keys stay twice merge_distance_frames apart, so near gimbal lock an
/// error can remain; it is reported.
[[nodiscard]] EulerCurves euler_curves(const Track& track, const BoneSpace& space, std::size_t bone,
                                       BoneChannel order, const Timing& timing);

}  // namespace animbridge::rig
