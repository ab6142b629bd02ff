// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "model/clip/clip.h"
#include "rig/rig_map.h"

/// F-curves of the bones of an armature, in Blender's terms.
namespace animbridge::rig {

/// frame = frame_start + seconds * frames_per_second
struct Timing {
    double frames_per_second = 24;
    double frame_start = 1;

    [[nodiscard]] double frame_at(double seconds) const { return frame_start + seconds * frames_per_second; }
    [[nodiscard]] double seconds_at(double frame) const { return (frame - frame_start) / frames_per_second; }
};

/// Means the object itself instead of a bone.
inline constexpr std::size_t no_bone = static_cast<std::size_t>(-1);

/// The F-curves of one channel of a bone, for foreach_set. Without handles, all components share their keys.
struct BoneCurves {
    std::size_t bone = 0;
    BoneChannel channel = BoneChannel::quaternion;
    std::vector<std::vector<float>> points;  ///< per component: key_count x (frame, value)
    std::vector<std::uint8_t> inserted;      ///< per key, if the components share keys; empty: none
    std::vector<std::vector<std::uint8_t>> interpolation{};  ///< per component and key, as in CurveView;
                                                             ///< empty: all linear
    std::vector<std::vector<float>> handles_left{};          ///< like points; empty: no key is Bezier
    std::vector<std::vector<float>> handles_right{};
    std::string property{};  ///< for BoneChannel::property: its name
};

/// A key that is lost in Blender versions that merge keys closer than 0.01 frames.
struct CloseKey {
    std::string joint;
    double frame = 0;
};
inline constexpr double merge_distance_frames = 0.01;

struct CurvesFromClip {
    std::vector<BoneCurves> curves;
    std::vector<std::size_t> unmatched_nodes;  ///< nodes that have tracks but no bone
    std::vector<CloseKey> close_keys;
    std::size_t inserted_keys = 0;
    std::vector<std::string> warnings;
};

/// The curves that play the clip on the armature, with rotations in the channels that the bones use. Unmapped
/// nodes are left out and listed. A property track of any node becomes a curve of the object's custom
/// property with its name. Bezier tracks, and tracks of single numbers, keep their keys and handles if the
/// bone's axes are the joint's (see axis_map); else they are sampled at whole frames.
[[nodiscard]] CurvesFromClip curves_from_clip(const Clip& clip, const Armature& armature, const BoneMap& map,
                                              const Timing& timing);

/// One F-curve as foreach_get returns it. The arrays belong to the caller.
struct CurveView {
    std::size_t bone = 0;
    BoneChannel channel = BoneChannel::quaternion;
    std::size_t component = 0;
    std::span<const float> points;                ///< key_count x (frame, value), sorted by frame
    std::span<const std::uint8_t> interpolation;  ///< 0 constant, 1 linear, 2 Bezier; empty: all linear
    std::span<const float> handles_left;  ///< key_count x (frame, value); empty unless a key is Bezier
    std::span<const float> handles_right;
    std::span<const std::uint8_t> inserted;
    std::string_view property{};  ///< for BoneChannel::property: its name
};

/// A curve that has not changed since its import.
struct UnchangedCurve {
    std::size_t bone = 0;
    BoneChannel channel = BoneChannel::quaternion;
    std::string_view property{};  ///< for BoneChannel::property: its name
};

/// The clip that the curves play on the mapped bones, from frame_start for `duration_seconds`. Keys are
/// inserted at whole frames where a segment is not a straight line in clip space; a constant segment gets a
/// key just before its end. Bones without a node are skipped. ErrorCode::bad_value names the bone and the
/// error in its curve.
[[nodiscard]] Result<Clip> clip_from_curves(std::span<const CurveView> curves, const Skeleton& skeleton,
                                            const Armature& armature, const BoneMap& map,
                                            const Timing& timing, double duration_seconds);

/// What Blender shows for the same curves, as the reference for measuring a file: samples at the clip's keys
/// and at every half frame (at larger steps if that makes more than 20,000 samples).
[[nodiscard]] Result<Clip> shown_by_curves(std::span<const CurveView> curves, const Skeleton& skeleton,
                                           const Armature& armature, const BoneMap& map, const Timing& timing,
                                           double duration_seconds);

}  // namespace animbridge::rig
