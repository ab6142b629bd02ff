// SPDX-License-Identifier: MIT
#include "rig/curves/curves.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <utility>

#include "base/options/options.h"
#include "rig/curves/channels.h"

namespace animbridge::rig::curves {

namespace {

/// The F-curves of one channel of one bone, with frames as times. A component without a curve keeps its rest
/// value.
struct Group {
    std::size_t bone = 0;
    armature::BoneChannel channel = armature::BoneChannel::quaternion;
    std::vector<Track> components;
    std::vector<double> inserted_frames;

    [[nodiscard]] double value(std::size_t component, double frame) const {
        if (components[component].times.empty()) {
            return channel == armature::BoneChannel::quaternion && component == 0 ? 1.0 : 0.0;
        }
        return evaluate(components[component], frame);
    }
};

/// Groups the F-curves by bone and channel.
Result<std::vector<Group>> grouped(std::span<const CurveView> curves, const armature::Armature& armature) {
    std::map<std::pair<std::size_t, armature::BoneChannel>, Group> groups;
    for (const CurveView& curve : curves) {
        const armature::Bone& bone = armature.bones[curve.bone];
        TRY(auto track, scalar_track(curve, bone));
        Group& group = groups[{curve.bone, curve.channel}];
        group.bone = curve.bone;
        group.channel = curve.channel;
        group.components.resize(armature::components_of(curve.channel), Track{0, Channel::property});
        group.components[curve.component] = std::move(track);
        for (std::size_t i = 0; i < curve.inserted.size(); ++i) {
            if (curve.inserted[i] != 0) {
                group.inserted_frames.push_back(curve.points[2 * i]);
            }
        }
    }
    std::vector<Group> result;
    for (auto& [key, group] : groups) {
        std::ranges::sort(group.inserted_frames);
        result.push_back(std::move(group));
    }
    return result;
}

glm::dquat rotation_at(const Group& group, double frame) {
    const std::array<double, 4> v = {group.value(0, frame), group.value(1, frame), group.value(2, frame),
                                     group.components.size() > 3 ? group.value(3, frame) : 0.0};
    if (group.channel == armature::BoneChannel::quaternion) {
        const glm::dquat q(v[0], v[1], v[2], v[3]);
        const double length = std::sqrt(glm::dot(q, q));
        // Blender shows a zero quaternion as no rotation.
        return length > 0.0 ? q / length : glm::dquat(1, 0, 0, 0);
    }
    if (group.channel == armature::BoneChannel::axis_angle) {
        const glm::dvec3 axis(v[1], v[2], v[3]);
        const double length = glm::length(axis);
        return length > 0.0 ? glm::angleAxis(v[0], axis / length) : glm::dquat(1, 0, 0, 0);
    }
    return rotation_of_euler(group.channel, {v[0], v[1], v[2]});
}

/// Whether Blender, which interpolates the raw components and normalises, shows the same as a clip between
/// two keys. It does not if the quaternions are more than a right angle apart, or have different lengths and
/// are far apart.
bool quaternions_match_clip(const Group& group, double from, double to) {
    constexpr double tolerated_degrees = 0.01;
    const auto raw = [&](double frame) {
        return glm::dquat(group.value(0, frame), group.value(1, frame), group.value(2, frame),
                          group.value(3, frame));
    };
    const glm::dquat a = raw(from);
    const glm::dquat b = raw(to);
    const double sign = glm::dot(a, b) < 0.0 ? -1.0 : 1.0;
    const glm::dquat half_way = a * glm::length(b) + b * (sign * glm::length(a));
    return angle_between_degrees(a + b, half_way) < tolerated_degrees;
}

/// Like quaternions_match_clip, for Euler angles, which are linear between two keys. They match for small
/// rotations, and about one axis if the keys are near.
bool angles_match_clip(const Group& group, double from, double to) {
    // An imported bone is within euler_tolerance_degrees of the clip's path, at both ends.
    constexpr double tolerated_degrees = 0.015;
    const glm::dquat a = rotation_at(group, from);
    const glm::dquat end = rotation_at(group, to);
    const glm::dquat b = glm::dot(a, end) < 0.0 ? -end : end;
    // Unevenly spaced, so that whole turns between them do not go unnoticed.
    constexpr std::array<double, 5> fractions = {0.2113, 0.3537, 0.5, 0.6449, 0.7887};
    return std::ranges::all_of(fractions, [&](double u) {
        const glm::dquat shown = rotation_at(group, from * (1.0 - u) + to * u);
        return angle_between_degrees(shown, a * (1.0 - u) + b * u) < tolerated_degrees;
    });
}

/// The shape of a group's curves between two adjacent key frames.
enum class Segment : std::uint8_t { straight, held, bent };

/// Whether linear curves give a linear segment in the clip.
bool stays_linear_in_clip(const Group& group, double from, double to) {
    switch (group.channel) {
        case armature::BoneChannel::location:
            return true;
        case armature::BoneChannel::quaternion:
            return quaternions_match_clip(group, from, to);
        case armature::BoneChannel::axis_angle:
            return false;
        default:
            return angles_match_clip(group, from, to);
    }
}

Segment segment_between(const Group& group, double from, double to) {
    bool all_held = true;
    bool any_bent = false;
    for (const Track& track : group.components) {
        const auto right = std::ranges::upper_bound(track.times, from);
        if (right == track.times.begin() || right == track.times.end()) {
            continue;  // a curve is constant outside its keys
        }
        const auto key = static_cast<std::size_t>(right - track.times.begin()) - 1;
        const Interpolation interpolation = track.interpolation[key];
        const bool level =
            interpolation != Interpolation::bezier && track.values[key] == track.values[key + 1];
        all_held = all_held && (interpolation == Interpolation::step || level);
        any_bent = any_bent || (interpolation != Interpolation::linear && !level);
    }
    if (all_held) {
        return Segment::held;
    }
    return any_bent || !stays_linear_in_clip(group, from, to) ? Segment::bent : Segment::straight;
}

/// Whether the values change at the end of a held segment.
bool jumps_at(const Group& group, double from, double to) {
    for (std::size_t c = 0; c < group.components.size(); ++c) {
        if (group.value(c, from) != group.value(c, to)) {
            return true;
        }
    }
    return false;
}

/// Blender's largest frame number. A limit is needed because bent curves get a key at every frame.
constexpr double most_frames = 1'048'574.0;

struct FrameRange {
    double first = 0;
    double last = 0;
    double hold_gap = 0;  ///< distance from the end of a held segment to the key that holds it
    double keys_per_frame = 1;

    /// Moves a frame that float rounding has put past the end of the range onto that end.
    [[nodiscard]] double clamped(double frame) const {
        const double slack = 1e-6 * std::max(1.0, std::abs(frame));
        return frame < first && frame > first - slack ? first
               : frame > last && frame < last + slack ? last
                                                      : frame;
    }
};

/// The frames within the range at which the clip needs keys, sorted.
std::vector<double> key_frames(const Group& group, const FrameRange& range) {
    std::vector<double> keys;
    for (const Track& track : group.components) {
        keys.insert(keys.end(), track.times.begin(), track.times.end());
    }
    std::ranges::transform(keys, keys.begin(), [&](double frame) { return range.clamped(frame); });
    std::ranges::sort(keys);
    // Keys outside the range still determine the values at its ends.
    const bool before = !keys.empty() && keys.front() < range.first && keys.back() > range.first;
    const bool after = !keys.empty() && keys.back() > range.last && keys.front() < range.last;
    const bool all_outside = !keys.empty() && (keys.back() < range.first || keys.front() > range.last);
    std::erase_if(keys, [&](double frame) { return frame < range.first || frame > range.last; });
    if (before || all_outside) {
        keys.insert(keys.begin(), range.first);
    }
    if (after) {
        keys.push_back(range.last);
    }
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<double> frames;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        frames.push_back(keys[i]);
        if (i + 1 == keys.size()) {
            break;
        }
        const Segment segment = segment_between(group, keys[i], keys[i + 1]);
        if (segment == Segment::bent) {
            const auto first = static_cast<std::int64_t>(std::floor(keys[i] * range.keys_per_frame)) + 1;
            const auto end = static_cast<std::int64_t>(std::ceil(keys[i + 1] * range.keys_per_frame));
            for (std::int64_t step = first; step < end; ++step) {
                frames.push_back(static_cast<double>(step) / range.keys_per_frame);
            }
        } else if (segment == Segment::held && jumps_at(group, keys[i], keys[i + 1]) &&
                   keys[i + 1] - keys[i] > range.hold_gap) {
            frames.push_back(keys[i + 1] - range.hold_gap);
        }
    }
    return frames;
}

/// The group's values at the frames, in clip space.
Track sample(const Group& group, std::size_t node, const armature::BoneSpace& space, const Timing& timing,
             const std::vector<double>& frames) {
    const bool moves = group.channel == armature::BoneChannel::location;
    Track track{node, moves ? Channel::translation : Channel::rotation};
    glm::dquat before(1, 0, 0, 0);
    for (const double frame : frames) {
        const double seconds = timing.seconds_at(frame);
        if (moves) {
            const glm::dvec3 p =
                space.location_to_clip({group.value(0, frame), group.value(1, frame), group.value(2, frame)});
            track.add_key(seconds, std::array<double, 3>{p.x, p.y, p.z});
        } else {
            glm::dquat q = space.rotation_to_clip(rotation_at(group, frame));
            q = glm::dot(q, before) < 0.0 ? -q : q;
            before = q;
            track.add_key(seconds, std::array<double, 4>{q.w, q.x, q.y, q.z});
        }
        track.inserted.push_back(std::ranges::binary_search(group.inserted_frames, frame));
    }
    return track;
}

/// The key frames, and those half-way between inserted ones.
std::vector<double> shown_frames(const Group& group, const FrameRange& range) {
    constexpr double most_samples = 20'000.0;
    std::vector<double> frames = key_frames(group, range);
    if (frames.empty()) {
        return frames;
    }
    const double length = range.last - range.first;
    const double per_frame = std::min(2.0 * range.keys_per_frame, most_samples / std::max(length, 1.0));
    const auto steps = static_cast<std::int64_t>(length * per_frame);
    for (std::int64_t i = 0; i <= steps; ++i) {
        frames.push_back(range.first + static_cast<double>(i) / per_frame);
    }
    std::ranges::sort(frames);
    frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
    return frames;
}

using ChooseFrames = std::vector<double> (*)(const Group&, const FrameRange&);

Result<Clip> sample_curves(std::span<const CurveView> curves, const Skeleton& skeleton,
                           const armature::Armature& armature, const armature::BoneMap& map,
                           const Timing& timing, double duration_seconds, double keys_per_frame,
                           ChooseFrames choose_frames) {
    TRY(auto groups, grouped(curves, armature));
    const double last_frame = timing.frame_at(duration_seconds);
    if (!(std::abs(timing.frame_start) <= most_frames) || !(std::abs(last_frame) <= most_frames)) {
        return fail(ErrorCode::bad_value, "the animation runs from frame " +
                                              shown_number(timing.frame_start) + " to " +
                                              shown_number(last_frame) + "; allowed are frames up to " +
                                              std::to_string(static_cast<int>(most_frames)) + " either way");
    }
    const FrameRange range{timing.frame_start, last_frame,
                           2.0 * duration_seconds * timing.frames_per_second / 65535.0, keys_per_frame};
    Clip clip{skeleton, {}, {}, duration_seconds};
    for (const Group& group : groups) {
        if (const auto node = map.node_of_bone[group.bone]) {
            clip.tracks.push_back(sample(group, *node, armature::BoneSpace(skeleton, *node, armature, map),
                                         timing, choose_frames(group, range)));
        }
    }
    return clip;
}

}  // namespace

Result<Clip> clip_from_curves(std::span<const CurveView> curves, const Skeleton& skeleton,
                              const armature::Armature& armature, const armature::BoneMap& map,
                              const Timing& timing, double duration_seconds, double keys_per_frame) {
    return sample_curves(curves, skeleton, armature, map, timing, duration_seconds, keys_per_frame,
                         key_frames);
}

Result<Clip> shown_by_curves(std::span<const CurveView> curves, const Skeleton& skeleton,
                             const armature::Armature& armature, const armature::BoneMap& map,
                             const Timing& timing, double duration_seconds, double keys_per_frame) {
    return sample_curves(curves, skeleton, armature, map, timing, duration_seconds, keys_per_frame,
                         shown_frames);
}

namespace {

Result<void> require_inheritance(const armature::Armature& armature) {
    const auto found = std::ranges::find_if(
        armature.bones, [](const armature::Bone& bone) { return bone.parent && !bone.inherits_rotation; });
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

bool leaves(const std::vector<glm::dvec3>& positions, const glm::dvec3& rest) {
    return std::any_of(positions.begin(), positions.end(), [&](const glm::dvec3& position) {
        return 1000.0 * glm::length(position - rest) > moved_mm;
    });
}

}  // namespace

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

Result<Clip> clip_at_frames(std::span<const CurveView> curves, const armature::ArmatureSkeleton& own,
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

}  // namespace animbridge::rig::curves
