// SPDX-License-Identifier: MIT
#include "rig/channel_values.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "rig/euler.h"
#include "rig/scalar_track.h"

namespace animbridge::rig {

namespace {

bool all_linear(const CurveView& curve) {
    return std::all_of(curve.interpolation.begin(), curve.interpolation.end(),
                       [](std::uint8_t code) { return code == 1; });
}

/// Whether the keys are finite and in order of time. If not, scalar_track reports the error.
bool is_sound(std::span<const float> points) {
    bool sound = true;
    for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
        sound = sound && std::isfinite(points[i]) && std::isfinite(points[i + 1]) &&
                (i == 0 || points[i] >= points[i - 2]);
    }
    return sound;
}

/// Whether a curve has exactly one key at each frame, like a recording.
bool is_at_each(std::span<const float> points, std::span<const double> frames) {
    bool equal = points.size() == 2 * frames.size();
    for (std::size_t i = 0; equal && i < frames.size(); ++i) {
        equal = static_cast<double>(points[2 * i]) == frames[i];
    }
    return equal;
}

std::vector<double> values_at_keys(std::span<const float> points) {
    std::vector<double> values(points.size() / 2);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = points[2 * i + 1];
    }
    return values;
}

/// Evaluates a curve of linear segments in one pass over the frames.
std::vector<double> linear_values(std::span<const float> points, std::span<const double> frames) {
    constexpr double single_precision = 2.4e-7;
    const std::size_t keys = points.size() / 2;
    std::vector<double> values;
    values.reserve(frames.size());
    std::size_t key = 0;
    for (const double frame : frames) {
        const double slack = single_precision * std::max(1.0, std::abs(frame));
        while (key + 1 < keys && static_cast<double>(points[2 * key + 2]) <= frame + slack) {
            ++key;
        }
        const double start = points[2 * key];
        const double value = points[2 * key + 1];
        if (key + 1 == keys || frame <= start + slack) {
            values.push_back(value);
            continue;
        }
        const double fraction = (frame - start) / (static_cast<double>(points[2 * key + 2]) - start);
        values.push_back(value + (static_cast<double>(points[2 * key + 3]) - value) * fraction);
    }
    return values;
}

Result<std::vector<double>> values_of(const CurveView& curve, const Bone& bone,
                                      std::span<const double> frames) {
    if (all_linear(curve) && is_sound(curve.points)) {
        return is_at_each(curve.points, frames) ? values_at_keys(curve.points)
                                                : linear_values(curve.points, frames);
    }
    TRY(const auto track, scalar_track(curve, bone));
    std::vector<double> values;
    values.reserve(frames.size());
    for (const double frame : frames) {
        values.push_back(evaluate(track, frame));
    }
    return values;
}

/// The rotation with its axis rotated by `axes`.
glm::dquat with_axis_rotated(const glm::dquat& axes, const glm::dquat& q) {
    const glm::dvec3 v = axes * glm::dvec3(q.x, q.y, q.z);
    return {q.w, v.x, v.y, v.z};
}

/// The channels of each bone. `values` are ordered by bone.
std::vector<std::span<const ChannelValues>> by_bone(const std::vector<ChannelValues>& values) {
    std::vector<std::span<const ChannelValues>> runs;
    for (std::size_t first = 0, end = 0; first < values.size(); first = end) {
        while (end < values.size() && values[end].bone == values[first].bone) {
            ++end;
        }
        runs.push_back(std::span(values).subspan(first, end - first));
    }
    return runs;
}

/// Among the channels of one bone: that of its rotation_channel, else the last one.
const ChannelValues* applied_rotation(std::span<const ChannelValues> channels, const Bone& bone) {
    const ChannelValues* applied = nullptr;
    for (const ChannelValues& channel : channels) {
        const bool settled = applied != nullptr && applied->channel == bone.rotation_channel;
        if (channel.channel != BoneChannel::location && !settled) {
            applied = &channel;
        }
    }
    return applied;
}

std::vector<glm::dquat> rotations_of(const ChannelValues& turns, const Bone& bone, std::size_t frame_count) {
    std::vector<glm::dquat> rotations;
    rotations.reserve(frame_count);
    for (std::size_t i = 0; i < frame_count; ++i) {
        rotations.push_back(with_axis_rotated(bone.rest.rotation, turns.rotation(i)));
    }
    return rotations;
}

std::vector<glm::dvec3> positions_of(const ChannelValues& channel, const Armature& armature,
                                     std::size_t frame_count) {
    const Bone& bone = armature.bones[channel.bone];
    const glm::dquat outer =
        bone.parent ? armature.bones[*bone.parent].rest.rotation : glm::dquat(1, 0, 0, 0);
    const glm::dquat& axes = bone.local_location ? bone.rest.rotation : outer;
    const glm::dvec3 step = rest_step(armature, channel.bone);
    std::vector<glm::dvec3> positions;
    positions.reserve(frame_count);
    for (std::size_t i = 0; i < frame_count; ++i) {
        positions.push_back(step +
                            axes * glm::dvec3(channel.value(0, i), channel.value(1, i), channel.value(2, i)));
    }
    return positions;
}

}  // namespace

glm::dquat ChannelValues::rotation(std::size_t frame) const {
    if (channel == BoneChannel::quaternion) {
        const glm::dquat q(value(0, frame), value(1, frame), value(2, frame), value(3, frame));
        const double length = std::sqrt(glm::dot(q, q));
        // Blender shows a zero quaternion as no rotation.
        return length > 0.0 ? q / length : glm::dquat(1, 0, 0, 0);
    }
    if (channel == BoneChannel::axis_angle) {
        const glm::dvec3 axis(value(1, frame), value(2, frame), value(3, frame));
        const double length = glm::length(axis);
        return length > 0.0 ? glm::angleAxis(value(0, frame), axis / length) : glm::dquat(1, 0, 0, 0);
    }
    return rotation_of_euler(channel, {value(0, frame), value(1, frame), value(2, frame)});
}

Result<std::vector<ChannelValues>> channel_values(std::span<const CurveView> curves, const Armature& armature,
                                                  std::span<const double> frames) {
    std::map<std::pair<std::size_t, BoneChannel>, ChannelValues> channels;
    for (const CurveView& curve : curves) {
        if (curve.points.empty()) {
            continue;
        }
        TRY(auto values, values_of(curve, armature.bones[curve.bone], frames));
        ChannelValues& channel = channels[{curve.bone, curve.channel}];
        channel.bone = curve.bone;
        channel.channel = curve.channel;
        channel.components.resize(components_of(curve.channel));
        channel.components[curve.component] = std::move(values);
    }
    std::vector<ChannelValues> result;
    result.reserve(channels.size());
    for (auto& [key, channel] : channels) {
        result.push_back(std::move(channel));
    }
    return result;
}

glm::dvec3 rest_step(const Armature& armature, std::size_t bone) {
    const Bone& child = armature.bones[bone];
    return child.rest.translation -
           (child.parent ? armature.bones[*child.parent].rest.translation : glm::dvec3(0));
}

std::vector<const ChannelValues*> applied_rotations(const std::vector<ChannelValues>& values,
                                                    const Armature& armature) {
    std::vector<const ChannelValues*> applied(armature.bones.size(), nullptr);
    for (const std::span<const ChannelValues> channels : by_bone(values)) {
        const std::size_t bone = channels.front().bone;
        applied[bone] = applied_rotation(channels, armature.bones[bone]);
    }
    return applied;
}

BoneMotion bone_motion(std::span<const ChannelValues> channels, const Armature& armature, std::size_t bone,
                       std::size_t frame_count) {
    BoneMotion motion;
    if (const ChannelValues* turns = applied_rotation(channels, armature.bones[bone])) {
        motion.rotations = rotations_of(*turns, armature.bones[bone], frame_count);
    }
    for (const ChannelValues& channel : channels) {
        if (channel.channel == BoneChannel::location && !armature.bones[bone].connected) {
            motion.positions = positions_of(channel, armature, frame_count);
        }
    }
    return motion;
}

std::vector<BoneMotion> bone_motions(const std::vector<ChannelValues>& values, const Armature& armature,
                                     std::size_t frame_count) {
    std::vector<BoneMotion> motions(armature.bones.size());
    for (const std::span<const ChannelValues> channels : by_bone(values)) {
        const std::size_t bone = channels.front().bone;
        motions[bone] = bone_motion(channels, armature, bone, frame_count);
    }
    return motions;
}

}  // namespace animbridge::rig
