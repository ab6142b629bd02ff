// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rig/curves.h"

/// Poses of an armature at frames, as Blender evaluates them, with constraints, drivers and control rigs.
namespace animbridge::rig {

/// Evaluated poses. The arrays belong to the caller.
struct SampleView {
    std::span<const double> frames;          ///< ascending
    std::span<const float> matrices;         ///< [sample][bone][16], column-major, armature space, metres
    std::span<const float> object_matrices;  ///< [sample][16]: the armature object relative to its rest
                                             ///< transform; empty: it does not move
    std::span<const std::uint8_t> exported;  ///< per bone: 0 no tracks, 1 tracks, 2 if it moves; empty: all 1
};

/// A joint, not the root, that leaves its rest position and so gets a position track.
struct MovedJoint {
    std::string joint;
    double most_mm = 0;
    double frame = 0;
    std::size_t node = 0;
    double own_mm = 0;  ///< how far its bone leaves its rest position on its parent bone
    /// Bones without a joint above its bone, up to one with a joint; or the result of loose_carriers.
    std::vector<std::size_t> carriers;

    /// Whether bones without a joint move it, rather than its own bone's location or a stretch.
    [[nodiscard]] bool is_carried() const { return !carriers.empty() && 2.0 * own_mm < most_mm; }
};

/// A joint that stays within this distance of its rest position gets no position track.
inline constexpr double moved_mm = 0.1;

/// Rotations closer than this count as equal: the chord between unit quaternions for 0.01 degrees.
inline constexpr double turned_chord = 0.0000873;

/// ErrorCode::invalid_argument if there are no frames, they do not ascend, the first one is not at
/// frame_start, or the last one is after the end.
[[nodiscard]] Result<void> require_frames(std::span<const double> frames, const Timing& timing,
                                          double duration_seconds);

struct ClipFromSamples {
    Clip clip;  ///< per exported bone a rotation key per sample, with positions for the root and the joints
                ///< in `moved`
    std::vector<MovedJoint> moved;
    std::vector<std::string> left_out;  ///< motion that the clip does not have, in sentences
};

/// The clip that plays the samples on the skeleton. Each joint rotates in the world like its bone, from rest
/// pose to pose. Its local transform is relative to its nearest ancestor with a bone (exported or not), with
/// the joints between at rest. `root`: the joint that carries the body; it always has positions, and the
/// object's motion. ErrorCode::bad_value names the bone and the sample whose matrix is not a transform.
[[nodiscard]] Result<ClipFromSamples> clip_from_samples(const SampleView& samples, const Skeleton& skeleton,
                                                        std::size_t root, const Armature& armature,
                                                        const BoneMap& map, const Timing& timing,
                                                        double duration_seconds);

}  // namespace animbridge::rig
