// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rig/curves.h"

/// F-curves that take over a track's keys and handles: nothing is resampled.
namespace animbridge::rig {

/// How each number of a bone's channel is one number of the joint's, up to sign and offset:
/// bone[i] = factor[i] * joint[source[i]] + offset[i].
struct AxisMap {
    std::array<std::uint8_t, 4> source{};
    std::array<double, 4> factor{};  ///< 1 or -1
    std::array<double, 4> offset{};
};

/// nullopt if the bone's axes are not the joint's, up to quarter turns: then its numbers mix the joint's.
[[nodiscard]] std::optional<AxisMap> axis_map(const BoneSpace& space, Channel channel);

/// The F-curves of the tracks of one channel of one node, whose bone has such a map.
[[nodiscard]] BoneCurves key_curves(std::span<const Track* const> tracks, const AxisMap& axes,
                                    std::size_t bone, const Timing& timing);

/// The F-curve of the object's custom property that a property track animates.
[[nodiscard]] BoneCurves property_curve(const Track& track, const Timing& timing);

/// The inverse of key_curves: a clip with a track for each F-curve, which has the curve's own keys and
/// handles. Curves of bones without an axis map, and of Euler and axis-angle channels, are sampled as in
/// clip_from_curves. A curve of a custom property becomes a track of the first node. Unmapped bones are
/// skipped. ErrorCode::bad_value names the bone and the error in its curve.
[[nodiscard]] Result<Clip> clip_of_keys(std::span<const CurveView> curves, const Skeleton& skeleton,
                                        const Armature& armature, const BoneMap& map, const Timing& timing,
                                        double duration_seconds);

}  // namespace animbridge::rig
