// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rig/curves.h"

/// Poses of an armature at given frames, as Blender evaluates them: constraints, drivers and control rigs are
/// in them.
namespace animbridge::rig {

/// Evaluated poses. The arrays belong to the caller.
struct SampleView {
    std::span<const double> frames;          ///< ascending
    std::span<const float> matrices;         ///< [sample][bone][16], column-major, armature space, metres
    std::span<const float> object_matrices;  ///< [sample][16]: where the armature object is, seen from where
                                             ///< its rest is; empty: it does not move
    std::span<const std::uint8_t> exported;  ///< per bone, 1: gets tracks; 2: gets them if it ever leaves its
                                             ///< rest pose; 0: none; empty: all get them
};

/// A joint other than the root that leaves its resting place, and so gets a position track.
struct MovedJoint {
    std::string joint;
    double most_mm = 0;
    double frame = 0;
};

/// How far a joint must leave its resting place for that to be an animation of it.
inline constexpr double moved_mm = 0.1;

/// How far apart, as the chord between unit quaternions, two rotations are that count as one: 0.01 degrees.
inline constexpr double turned_chord = 0.0000873;

struct ClipFromSamples {
    Clip clip;  ///< a rotation key for each sample of each exported bone, and positions of the root and of
                ///< `moved`
    std::vector<MovedJoint> moved;
    std::vector<std::string> warnings;
};

/// The clip that shows the samples on the skeleton. Each joint turns in the world as its bone does, from rest
/// to pose; its local placement counts from its nearest ancestor in the skeleton that has a bone (exported or
/// not), joints between at rest. `root`: the joint that carries the body, always with positions and with the
/// object's motion. ErrorCode::bad_value names the bone and the sample whose matrix places nothing.
[[nodiscard]] Result<ClipFromSamples> clip_from_samples(const SampleView& samples, const Skeleton& skeleton,
                                                        std::size_t root, const Armature& armature,
                                                        const BoneMap& map, const Timing& timing,
                                                        double duration_seconds);

}  // namespace animbridge::rig
