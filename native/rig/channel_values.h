// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "rig/curves.h"

/// F-curves at given frames, for formats that have a value at each of their frames.
namespace animbridge::rig {

/// What the curves of one channel of a bone show, frame by frame.
struct ChannelValues {
    std::size_t bone = 0;
    BoneChannel channel = BoneChannel::quaternion;
    std::vector<std::vector<double>>
        components;  ///< per component a value for each frame; empty: its resting value

    [[nodiscard]] double value(std::size_t component, std::size_t frame) const {
        const bool rests = components[component].empty();
        return rests ? (channel == BoneChannel::quaternion && component == 0 ? 1.0 : 0.0)
                     : components[component][frame];
    }
    /// Rotation channels only: of unit length, relative to the bone's rest.
    [[nodiscard]] glm::dquat rotation(std::size_t frame) const;
};

/// The channels that have curves, by bone; frames ascend. A key as near to a frame as single precision can
/// tell is at it. ErrorCode::bad_value as clip_from_curves has it.
[[nodiscard]] Result<std::vector<ChannelValues>> channel_values(std::span<const CurveView> curves,
                                                                const Armature& armature,
                                                                std::span<const double> frames);

/// How a bone moves against its parent bone, frame by frame, both seen as resting unturned along the
/// armature's axes.
struct BoneMotion {
    std::vector<glm::dquat> rotations{};  ///< unit; empty: at rest
    std::vector<glm::dvec3> places{};     ///< of the head, in metres; empty: at rest
};

/// Per bone the rotation channel that counts: the one that its rotation_channel names, or the last; nullptr:
/// none.
[[nodiscard]] std::vector<const ChannelValues*> counting_rotations(const std::vector<ChannelValues>& values,
                                                                   const Armature& armature);

/// Per bone of the armature. A connected bone does not leave its parent.
[[nodiscard]] std::vector<BoneMotion> bone_motions(const std::vector<ChannelValues>& values,
                                                   const Armature& armature, std::size_t frame_count);

/// From the parent's head at rest, or the origin, to the bone's, armature space.
[[nodiscard]] glm::dvec3 rest_step(const Armature& armature, std::size_t bone);

}  // namespace animbridge::rig
