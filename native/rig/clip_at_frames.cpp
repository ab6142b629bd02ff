// SPDX-License-Identifier: MIT
#include "rig/clip_at_frames.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <utility>
#include <vector>

#include "rig/channel_values.h"
#include "rig/samples.h"

namespace animbridge::rig {

namespace {

Result<void> require_inheritance(const Armature& armature) {
    const auto found = std::find_if(armature.bones.begin(), armature.bones.end(),
                                    [](const Bone& bone) { return bone.parent && !bone.inherits_rotation; });
    return found == armature.bones.end()
               ? Result<void>()
               : fail(ErrorCode::invalid_argument, "bone " + found->name +
                                                       " does not inherit rotation, so its curves do not say "
                                                       "how it moves: give samples");
}

std::vector<double> seconds_of(std::span<const double> frames, const Timing& timing) {
    std::vector<double> seconds;
    seconds.reserve(frames.size());
    for (const double frame : frames) {
        seconds.push_back(std::max(timing.seconds_at(frame), 0.0));
    }
    return seconds;
}

std::vector<std::vector<CurveView>> curves_by_bone(std::span<const CurveView> curves, std::size_t bones) {
    std::vector<std::vector<CurveView>> found(bones);
    for (const CurveView& curve : curves) {
        found[curve.bone].push_back(curve);
    }
    return found;
}

/// Rotations with continuous signs; without rotations, the bone is at rest.
Track rotation_track(std::size_t node, const std::vector<glm::dquat>& rotations,
                     const std::vector<double>& seconds) {
    Track track{node, Channel::rotation, seconds};
    track.values.reserve(4 * seconds.size());
    glm::dquat before(1, 0, 0, 0);
    for (std::size_t key = 0; key < seconds.size(); ++key) {
        const glm::dquat now = rotations.empty() ? before : rotations[key];
        before = glm::dot(now, before) < 0.0 ? -now : now;
        track.values.insert(track.values.end(), {before.w, before.x, before.y, before.z});
    }
    return track;
}

Track position_track(std::size_t node, const std::vector<glm::dvec3>& positions, const glm::dvec3& rest,
                     const std::vector<double>& seconds) {
    Track track{node, Channel::translation, seconds};
    track.values.reserve(3 * seconds.size());
    for (std::size_t key = 0; key < seconds.size(); ++key) {
        const glm::dvec3& now = positions.empty() ? rest : positions[key];
        track.values.insert(track.values.end(), {now.x, now.y, now.z});
    }
    return track;
}

bool leaves(const std::vector<glm::dvec3>& positions, const glm::dvec3& rest) {
    return std::any_of(positions.begin(), positions.end(), [&](const glm::dvec3& position) {
        return 1000.0 * glm::length(position - rest) > moved_mm;
    });
}

}  // namespace

Result<Clip> clip_at_frames(std::span<const CurveView> curves, const ArmatureSkeleton& own,
                            std::span<const double> frames, const Timing& timing) {
    const double duration_seconds = frames.empty() ? 0.0 : timing.seconds_at(frames.back());
    TRY_VOID(require_frames(frames, timing, duration_seconds));
    TRY_VOID(require_inheritance(own.armature));
    const std::vector<double> seconds = seconds_of(frames, timing);
    const auto given = curves_by_bone(curves, own.armature.bones.size());
    Clip clip{own.skeleton, {}, {}, duration_seconds};
    for (std::size_t node = 0; node < own.skeleton.nodes.size(); ++node) {
        const std::size_t bone = *own.map.bone_of_node[node];
        // One bone at a time, so that its numbers stay in the processor's cache.
        TRY(const auto channels, channel_values(given[bone], own.armature, frames));
        const BoneMotion motion = bone_motion(channels, own.armature, bone, frames.size());
        clip.tracks.push_back(rotation_track(node, motion.rotations, seconds));
        const glm::dvec3& rest = own.skeleton.nodes[node].rest_local.translation;
        if (node == 0 || leaves(motion.positions, rest)) {
            clip.tracks.push_back(position_track(node, motion.positions, rest, seconds));
        }
    }
    return clip;
}

}  // namespace animbridge::rig
