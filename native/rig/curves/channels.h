// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "rig/curves/curves.h"

/// What the sources of curves share: Euler curves that follow a clip, F-curves as tracks, and the bones that
/// carry a loose one.
namespace animbridge::rig::curves {

// Between keys, a clip interpolates quaternions and Blender each Euler angle; inserted keys close the gap.

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
[[nodiscard]] EulerCurves euler_curves(const Track& track, const armature::BoneSpace& space, std::size_t bone,
                                       armature::BoneChannel order, const Timing& timing);

/// An F-curve as a scalar track with frames as times. ErrorCode::bad_value names the bone or the property,
/// and the error in its curve. `bone` is not used for a property.
[[nodiscard]] Result<Track> scalar_track(const CurveView& curve, const armature::Bone& bone);

/// A key at each time. Rotations get continuous signs; without any, the bone is at rest.
[[nodiscard]] Track rotation_track(std::size_t node, const std::vector<glm::dquat>& rotations,
                                   const std::vector<double>& seconds);
[[nodiscard]] Track position_track(std::size_t node, const std::vector<glm::dvec3>& positions,
                                   const glm::dvec3& rest, const std::vector<double>& seconds);

/// A bone that leaves its rest position, relative to the bone of the nearest mapped joint above.
struct LooseBone {
    std::size_t bone = 0;
    std::optional<std::size_t> ancestor{};  ///< that bone; nullopt: no joint above has a bone
    double most_mm = 0;
};

/// The bones without a joint that carry this one, as far as the motion shows it, in rigs whose parents do not
/// define it (bones without parents that follow others by constraints). Its head stays at its rest position
/// on the first one, the first one's head on the second, and so on up to the ancestor. Empty: the bone moves
/// by itself. A bone with its head at the same position is its control, and does not carry it; nor does one
/// with a matrix that is not a transform. Frames are those of the samples.
[[nodiscard]] std::vector<std::size_t> loose_carriers(const SampleView& samples,
                                                      const armature::Armature& armature,
                                                      const armature::BoneMap& map, const LooseBone& loose);

}  // namespace animbridge::rig::curves
