// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rig/curves.h"

/// F-curves that take a track's keys as they are, with their handles: nothing is resampled.
namespace animbridge::rig {

/// Where each number of a bone's channel is one number of the joint's, up to sign and offset:
/// bone[i] = factor[i] * joint[source[i]] + offset[i].
struct AxisMap {
    std::array<std::uint8_t, 4> source{};
    std::array<double, 4> factor{};  ///< 1 or -1
    std::array<double, 4> offset{};
};

/// None where the bone's axes are not the joint's, up to quarter turns: its numbers then mix the joint's.
[[nodiscard]] std::optional<AxisMap> axis_map(const BoneSpace& space, Channel channel);

/// The F-curves of the tracks of one channel of one node, whose bone has such a map.
[[nodiscard]] BoneCurves key_curves(std::span<const Track* const> tracks, const AxisMap& axes,
                                    std::size_t bone, const Timing& timing);

/// The F-curve of the object's custom property that a track of a property asks for.
[[nodiscard]] BoneCurves property_curve(const Track& track, const Timing& timing);

/// The clip whose tracks have the curves' own keys and handles, a track for each F-curve: the way back from
/// key_curves. Curves of bones without an axis map, and of Euler and axis-angle channels, are sampled as in
/// clip_from_curves. A curve of a custom property becomes a track of the first node. Unmapped bones are
/// passed over. ErrorCode::bad_value names the bone and what is wrong with its curve.
[[nodiscard]] Result<Clip> clip_of_keys(std::span<const CurveView> curves, const Skeleton& skeleton,
                                        const Armature& armature, const BoneMap& map, const Timing& timing,
                                        double duration_seconds);

}  // namespace animbridge::rig
