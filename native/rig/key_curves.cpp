// SPDX-License-Identifier: MIT
#include "rig/key_curves.h"

#include <cmath>
#include <iterator>
#include <utility>

#include "rig/scalar_track.h"

namespace animbridge::rig {

namespace {

/// The rounding error of single-precision rest matrices for a quarter turn.
constexpr double aligned_within = 1e-6;

using Row = std::array<double, 4>;

Row bone_row(const BoneSpace& space, Channel channel, const Row& joint) {
    if (channel == Channel::rotation) {
        const glm::dquat q = space.rotation_to_bone({joint[0], joint[1], joint[2], joint[3]});
        return {q.w, q.x, q.y, q.z};
    }
    const glm::dvec3 place = space.location_to_bone({joint[0], joint[1], joint[2]});
    return {place.x, place.y, place.z, 0.0};
}

/// The F-curve of one number of one track.
class CurveMaker {
public:
    CurveMaker(const Track& track, std::size_t number, const Timing& timing, double factor, double offset)
        : track_(track), number_(number), timing_(timing), factor_(factor), offset_(offset) {}

    void add_to(BoneCurves& curves, std::size_t component) const {
        for (std::size_t key = 0; key < track_.key_count(); ++key) {
            const double time = track_.times[key];
            const double value = track_.value(key)[number_];
            put(curves.points[component], time, factor_ * value + offset_);
            const Interpolation interpolation = track_.interpolation_after(key);
            curves.interpolation[component].push_back(static_cast<std::uint8_t>(interpolation));
            const Handles handles =
                track_.handles.empty() ? Handles{} : track_.handles[key * track_.width() + number_];
            put(curves.handles_left[component], time + handles.in_time,
                factor_ * (value + handles.in_value) + offset_);
            put(curves.handles_right[component], time + handles.out_time,
                factor_ * (value + handles.out_value) + offset_);
        }
    }

private:
    void put(std::vector<float>& points, double seconds, double value) const {
        points.push_back(static_cast<float>(timing_.frame_at(seconds)));
        points.push_back(static_cast<float>(value));
    }

    const Track& track_;
    std::size_t number_;
    const Timing& timing_;
    double factor_;
    double offset_;
};

/// An F-curve, whose times are frames, as a track of one number of a joint.
Track joint_track(Track curve, std::size_t node, Channel channel, std::size_t component, const AxisMap& axes,
                  const Timing& timing) {
    const double factor = axes.factor.at(component);
    const double offset = axes.offset.at(component);
    curve.node = node;
    curve.channel = channel;
    curve.component = axes.source.at(component);
    for (std::size_t key = 0; key < curve.key_count(); ++key) {
        curve.times[key] = timing.seconds_at(curve.times[key]);
        curve.values[key] = factor * (curve.values[key] - offset);
    }
    for (Handles& handles : curve.handles) {
        handles.in_time /= timing.frames_per_second;
        handles.out_time /= timing.frames_per_second;
        handles.in_value *= factor;
        handles.out_value *= factor;
    }
    return curve;
}

BoneCurves empty_curves(std::size_t bone, BoneChannel channel) {
    BoneCurves curves{bone, channel, {}, {}};
    const std::size_t width = components_of(channel);
    curves.points.resize(width);
    curves.interpolation.resize(width);
    curves.handles_left.resize(width);
    curves.handles_right.resize(width);
    return curves;
}

/// The curve of a custom property as a track of the first node.
Result<Track> property_track(const CurveView& curve, const Timing& timing) {
    TRY(auto track, scalar_track(curve, Bone{}));
    AxisMap same;
    same.factor[0] = 1.0;
    track = joint_track(std::move(track), 0, Channel::property, 0, same, timing);
    track.component.reset();
    track.property = curve.property;
    return track;
}

std::optional<Channel> channel_of(BoneChannel channel) {
    switch (channel) {
        case BoneChannel::location:
            return Channel::translation;
        case BoneChannel::quaternion:
            return Channel::rotation;
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<AxisMap> axis_map(const BoneSpace& space, Channel channel) {
    const std::size_t width = width_of(channel);
    const Row zero = bone_row(space, channel, {});
    AxisMap map;
    for (std::size_t j = 0; j < width; ++j) {
        Row unit{};
        unit.at(j) = 1.0;
        const Row column = bone_row(space, channel, unit);
        for (std::size_t i = 0; i < width; ++i) {
            const double factor = column.at(i) - zero.at(i);
            if (std::abs(std::abs(factor) - 1.0) <= aligned_within) {
                map.source.at(i) = static_cast<std::uint8_t>(j);
                map.factor.at(i) = factor > 0.0 ? 1.0 : -1.0;
            } else if (std::abs(factor) > aligned_within) {
                return std::nullopt;
            }
        }
    }
    map.offset = zero;
    return map;
}

BoneCurves key_curves(std::span<const Track* const> tracks, const AxisMap& axes, std::size_t bone,
                      const Timing& timing) {
    const bool moves = tracks.front()->channel == Channel::translation;
    BoneCurves curves = empty_curves(bone, moves ? BoneChannel::location : BoneChannel::quaternion);
    const std::size_t width = components_of(curves.channel);
    for (std::size_t i = 0; i < width; ++i) {
        const std::size_t number = axes.source.at(i);
        for (const Track* track : tracks) {
            if (!track->component || *track->component == number) {
                const CurveMaker maker(*track, track->component ? 0 : number, timing, axes.factor.at(i),
                                       axes.offset.at(i));
                maker.add_to(curves, i);
            }
        }
    }
    return curves;
}

BoneCurves property_curve(const Track& track, const Timing& timing) {
    BoneCurves curves = empty_curves(no_bone, BoneChannel::property);
    curves.property = track.property;
    CurveMaker(track, 0, timing, 1.0, 0.0).add_to(curves, 0);
    return curves;
}

Result<Clip> clip_of_keys(std::span<const CurveView> curves, const Skeleton& skeleton,
                          const Armature& armature, const BoneMap& map, const Timing& timing,
                          double duration_seconds) {
    Clip clip{skeleton, {}, {}, duration_seconds};
    std::vector<CurveView> sampled;
    for (const CurveView& curve : curves) {
        if (curve.channel == BoneChannel::property) {
            TRY(auto track, property_track(curve, timing));
            clip.tracks.push_back(std::move(track));
            continue;
        }
        const auto node = map.node_of_bone[curve.bone];
        const auto channel = channel_of(curve.channel);
        const auto axes =
            node && channel ? axis_map(BoneSpace(skeleton, *node, armature, map), *channel) : std::nullopt;
        if (!axes) {
            sampled.push_back(curve);
            continue;
        }
        TRY(auto track, scalar_track(curve, armature.bones[curve.bone]));
        clip.tracks.push_back(joint_track(std::move(track), *node, *channel, curve.component, *axes, timing));
    }
    TRY(auto rest, clip_from_curves(sampled, skeleton, armature, map, timing, duration_seconds));
    clip.tracks.insert(clip.tracks.end(), std::make_move_iterator(rest.tracks.begin()),
                       std::make_move_iterator(rest.tracks.end()));
    return clip;
}

}  // namespace animbridge::rig
