// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "rig/curves.h"

/// Evaluates F-curves at frames, for formats with a value at each frame.
namespace animbridge::rig {

/// The values of one channel of a bone, frame by frame.
struct ChannelValues {
    std::size_t bone = 0;
    BoneChannel channel = BoneChannel::quaternion;
    std::vector<std::vector<double>>
        components;  ///< per component: the value at each frame; empty: the rest value

    [[nodiscard]] double value(std::size_t component, std::size_t frame) const {
        const bool rests = components[component].empty();
        return rests ? (channel == BoneChannel::quaternion && component == 0 ? 1.0 : 0.0)
                     : components[component][frame];
    }
    /// For rotation channels: of unit length, relative to the bone's rest pose.
    [[nodiscard]] glm::dquat rotation(std::size_t frame) const;
};

/// The channels with curves, ordered by bone. `frames` must ascend. A key is at a frame if floats cannot
/// distinguish the two. ErrorCode::bad_value as in clip_from_curves.
[[nodiscard]] Result<std::vector<ChannelValues>> channel_values(std::span<const CurveView> curves,
                                                                const Armature& armature,
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
                                                                  const Armature& armature);

/// The motion of one bone by all of its channels. Like Blender, this ignores the location of a connected
/// bone, even without a parent.
[[nodiscard]] BoneMotion bone_motion(std::span<const ChannelValues> channels, const Armature& armature,
                                     std::size_t bone, std::size_t frame_count);

/// One per bone of the armature.
[[nodiscard]] std::vector<BoneMotion> bone_motions(const std::vector<ChannelValues>& values,
                                                   const Armature& armature, std::size_t frame_count);

/// From the parent's head, or the origin, to the bone's head in the rest pose; armature space.
[[nodiscard]] glm::dvec3 rest_step(const Armature& armature, std::size_t bone);

}  // namespace animbridge::rig
