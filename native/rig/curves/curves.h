// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "model/clip/clip.h"
#include "rig/armature/armature.h"

/// F-curves and sampled poses of the bones of an armature, to a clip and back. Curves are in Blender's terms:
/// frames, handles, rotation modes, radians, and metres relative to the bone's rest pose.
namespace animbridge::rig::curves {

// ---- F-curves ----

/// frame = frame_start + seconds * frames_per_second
struct Timing {
    double frames_per_second = 24;
    double frame_start = 1;

    [[nodiscard]] double frame_at(double seconds) const { return frame_start + seconds * frames_per_second; }
    [[nodiscard]] double seconds_at(double frame) const { return (frame - frame_start) / frames_per_second; }
};

/// Means the object itself instead of a bone.
inline constexpr std::size_t no_bone = static_cast<std::size_t>(-1);

/// One F-curve as foreach_get returns it. The arrays belong to the caller.
struct CurveView {
    std::size_t bone = 0;
    armature::BoneChannel channel = armature::BoneChannel::quaternion;
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
    armature::BoneChannel channel = armature::BoneChannel::quaternion;
    std::string_view property{};  ///< for BoneChannel::property: its name
};

/// The F-curves of one channel of a bone, for foreach_set. Without handles, all components share their keys.
struct BoneCurves {
    std::size_t bone = 0;
    armature::BoneChannel channel = armature::BoneChannel::quaternion;
    std::vector<std::vector<float>> points;  ///< per component: key_count x (frame, value)
    std::vector<std::uint8_t> inserted;      ///< per key, if the components share keys; empty: none
    std::vector<std::vector<std::uint8_t>> interpolation{};  ///< per component and key, as in CurveView;
                                                             ///< empty: all linear
    std::vector<std::vector<float>> handles_left{};          ///< like points; empty: no key is Bezier
    std::vector<std::vector<float>> handles_right{};
    std::string property{};  ///< for BoneChannel::property: its name
    /// Per component and key, after an edit: the given key that it was, counted over all given curves; -1: a
    /// new key. Empty: not of an edit.
    std::vector<std::vector<std::int32_t>> sources{};
};

// ---- a clip to curves and back ----

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
[[nodiscard]] CurvesFromClip curves_from_clip(const Clip& clip, const armature::Armature& armature,
                                              const armature::BoneMap& map, const Timing& timing);

/// The clip that the curves play on the mapped bones, from frame_start for `duration_seconds`. Where a
/// segment is not a straight line in clip space, keys are inserted, `keys_per_frame` from each whole frame
/// on; a constant segment gets a key just before its end. Bones without a node are skipped.
/// ErrorCode::bad_value names the bone and the error in its curve.
[[nodiscard]] Result<Clip> clip_from_curves(std::span<const CurveView> curves, const Skeleton& skeleton,
                                            const armature::Armature& armature, const armature::BoneMap& map,
                                            const Timing& timing, double duration_seconds,
                                            double keys_per_frame = 1.0);

/// What Blender shows of the same curves, to measure a file against: samples at the clip's keys and half-way
/// between its inserted ones (at larger steps if that would make more than 20,000 samples).
[[nodiscard]] Result<Clip> shown_by_curves(std::span<const CurveView> curves, const Skeleton& skeleton,
                                           const armature::Armature& armature, const armature::BoneMap& map,
                                           const Timing& timing, double duration_seconds,
                                           double keys_per_frame = 1.0);

// ---- key by key: a track's keys and handles stay as they are ----

/// How each number of a bone's channel is one number of the joint's, up to sign and offset:
/// bone[i] = factor[i] * joint[source[i]] + offset[i].
struct AxisMap {
    std::array<std::uint8_t, 4> source{};
    std::array<double, 4> factor{};  ///< 1 or -1
    std::array<double, 4> offset{};
};

/// nullopt if the bone's axes are not the joint's, up to quarter turns: then its numbers mix the joint's.
[[nodiscard]] std::optional<AxisMap> axis_map(const armature::BoneSpace& space, Channel channel);

/// The F-curves of the tracks of one channel of one node, whose bone has such a map.
[[nodiscard]] BoneCurves key_curves(std::span<const Track* const> tracks, const AxisMap& axes,
                                    std::size_t bone, const Timing& timing);

/// An F-curve by itself, as a property track in seconds, with its own keys and handles. ErrorCode::bad_value
/// names the bone or the property, and the error in its curve.
[[nodiscard]] Result<Track> curve_track(const CurveView& curve, const armature::Armature& armature,
                                        const Timing& timing);

/// The F-curve of the object's custom property that a property track animates.
[[nodiscard]] BoneCurves property_curve(const Track& track, const Timing& timing);

/// The inverse of key_curves: a clip with a track for each F-curve, which has the curve's own keys and
/// handles. Curves of bones without an axis map, and of Euler and axis-angle channels, are sampled as in
/// clip_from_curves. A curve of a custom property becomes a track of the first node. Unmapped bones are
/// skipped. ErrorCode::bad_value names the bone and the error in its curve.
[[nodiscard]] Result<Clip> clip_of_keys(std::span<const CurveView> curves, const Skeleton& skeleton,
                                        const armature::Armature& armature, const armature::BoneMap& map,
                                        const Timing& timing, double duration_seconds);

// ---- evaluated poses to a clip: with constraints, drivers and control rigs ----

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
                                                        std::size_t root, const armature::Armature& armature,
                                                        const armature::BoneMap& map, const Timing& timing,
                                                        double duration_seconds);

/// The motion that F-curves give the bones of an armature, over its own skeleton: equals clip_from_samples of
/// the poses that Blender evaluates from these curves at the frames. Each bone has a rotation key at each
/// frame, and a position key if it is the first bone and a root, or leaves its rest position by more than
/// moved_mm. Bones without curves are at rest. ErrorCode::invalid_argument: as in require_frames, or a bone
/// with a parent does not inherit rotation. ErrorCode::bad_value: as in clip_from_curves.
[[nodiscard]] Result<Clip> clip_at_frames(std::span<const CurveView> curves,
                                          const armature::ArmatureSkeleton& own,
                                          std::span<const double> frames, const Timing& timing);

// ---- curves at frames, for formats with a value at each frame ----

/// The values of one channel of a bone, frame by frame.
struct ChannelValues {
    std::size_t bone = 0;
    armature::BoneChannel channel = armature::BoneChannel::quaternion;
    std::vector<std::vector<double>>
        components;  ///< per component: the value at each frame; empty: the rest value

    [[nodiscard]] double value(std::size_t component, std::size_t frame) const {
        const bool rests = components[component].empty();
        return rests ? (channel == armature::BoneChannel::quaternion && component == 0 ? 1.0 : 0.0)
                     : components[component][frame];
    }
    /// For rotation channels: of unit length, relative to the bone's rest pose.
    [[nodiscard]] glm::dquat rotation(std::size_t frame) const;
};

/// The channels with curves, ordered by bone. `frames` must ascend. A key is at a frame if floats cannot
/// distinguish the two. ErrorCode::bad_value as in clip_from_curves.
[[nodiscard]] Result<std::vector<ChannelValues>> channel_values(std::span<const CurveView> curves,
                                                                const armature::Armature& armature,
                                                                std::span<const double> frames);

/// The motion of a bone relative to its parent bone, frame by frame, in axes parallel to the armature's at
/// rest.
struct BoneMotion {
    std::vector<glm::dquat> rotations{};  ///< of unit length; empty: at rest
    std::vector<glm::dvec3> positions{};  ///< of the head, in metres; empty: at rest
};

/// The rotation channel that applies to each bone: the one of its rotation_channel, else the last one;
/// nullptr if it has none.
[[nodiscard]] std::vector<const ChannelValues*> applied_rotations(const std::vector<ChannelValues>& values,
                                                                  const armature::Armature& armature);

/// The motion of one bone by all of its channels. Like Blender, this ignores the location of a connected
/// bone, even without a parent.
[[nodiscard]] BoneMotion bone_motion(std::span<const ChannelValues> channels,
                                     const armature::Armature& armature, std::size_t bone,
                                     std::size_t frame_count);

/// One per bone of the armature.
[[nodiscard]] std::vector<BoneMotion> bone_motions(const std::vector<ChannelValues>& values,
                                                   const armature::Armature& armature,
                                                   std::size_t frame_count);

/// From the parent's head, or the origin, to the bone's head in the rest pose; armature space.
[[nodiscard]] glm::dvec3 rest_step(const armature::Armature& armature, std::size_t bone);

// ---- some bones as a skeleton ----

/// The bones that become nodes of a skeleton, in depth-first order. The motion of a skipped bone becomes part
/// of the motion of the exported bones below it.
struct ExportedBones {
    std::vector<std::size_t> bones;
    std::vector<std::optional<std::size_t>> parents;  ///< per node: an earlier node; nullopt: a root
};

/// `wanted`: per bone, whether to export it. `rank`: per bone; siblings are ordered by rank, lowest first.
[[nodiscard]] ExportedBones exported_bones(const armature::Armature& armature,
                                           const std::vector<bool>& wanted,
                                           const std::vector<std::size_t>& rank);

/// Nodes at the bones' heads, named like the bones, with rest axes parallel to the armature's.
[[nodiscard]] Skeleton skeleton_of(const ExportedBones& exported, const armature::Armature& armature);

/// Which bones these nodes are.
[[nodiscard]] armature::BoneMap map_of(const ExportedBones& exported, const armature::Armature& armature);

/// The bones' motion in that skeleton, with a key at each time. Only bones that move have tracks.
[[nodiscard]] Clip clip_of_motions(const Skeleton& skeleton, const armature::Armature& armature,
                                   const armature::BoneMap& map, const std::vector<BoneMotion>& motions,
                                   const std::vector<double>& times);

// ---- Euler angles: radians about x, y, z; an order names the axes in the order of rotation ----

[[nodiscard]] constexpr bool is_euler(armature::BoneChannel channel) {
    return channel >= armature::BoneChannel::euler_xyz && channel <= armature::BoneChannel::euler_zyx;
}

/// `channel` must be an Euler channel.
[[nodiscard]] EulerOrder order_of(armature::BoneChannel channel);

[[nodiscard]] glm::dquat rotation_of_euler(armature::BoneChannel order, const glm::dvec3& angles);

/// As euler_near of model/clip, for the order of a channel.
[[nodiscard]] glm::dvec3 euler_near(armature::BoneChannel order, const glm::dquat& rotation,
                                    const glm::dvec3& before);

}  // namespace animbridge::rig::curves
