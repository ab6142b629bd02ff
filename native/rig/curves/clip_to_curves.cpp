// SPDX-License-Identifier: MIT
#include "rig/curves/curves.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "rig/curves/channels.h"

namespace animbridge::rig::curves {

namespace {

/// The bone's channel values for one key of a track.
std::array<double, 4> bone_values(const armature::BoneSpace& space, const Track& track, std::size_t key) {
    if (track.channel == Channel::rotation) {
        const glm::dquat q = space.rotation_to_bone(track.rotation(key));
        return {q.w, q.x, q.y, q.z};
    }
    const glm::dvec3 v = space.location_to_bone(track.translation(key));
    return {v.x, v.y, v.z, 0.0};
}

/// Whether an inserted key is so close to its neighbours that newer Blender versions would merge them.
bool crowds(const Track& track, std::size_t key, const Timing& timing, const std::vector<float>& points) {
    const double frame = timing.frame_at(track.times[key]);
    return frame - points[points.size() - 2] < merge_distance_frames ||
           timing.frame_at(track.times[key + 1]) - frame < merge_distance_frames;
}

BoneCurves bone_curves(const Track& track, const armature::BoneSpace& space, std::size_t bone,
                       const Timing& timing) {
    const std::size_t components = track.width();
    BoneCurves curves{bone,
                      track.channel == Channel::rotation ? armature::BoneChannel::quaternion
                                                         : armature::BoneChannel::location,
                      {},
                      {}};
    curves.points.resize(components);
    for (std::vector<float>& points : curves.points) {
        points.reserve(track.key_count() * 2);
    }
    const bool steps =
        std::ranges::find(track.interpolation, Interpolation::step) != track.interpolation.end();
    curves.interpolation.resize(steps ? components : 0);
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        const bool inserted = !track.inserted.empty() && track.inserted[key];
        const auto frame = static_cast<float>(timing.frame_at(track.times[key]));
        if (inserted && crowds(track, key, timing, curves.points.front())) {
            continue;
        }
        const auto values = bone_values(space, track, key);
        for (std::size_t c = 0; c < components; ++c) {
            curves.points[c].push_back(frame);
            curves.points[c].push_back(static_cast<float>(values.at(c)));
        }
        for (std::vector<std::uint8_t>& codes : curves.interpolation) {
            codes.push_back(static_cast<std::uint8_t>(track.interpolation_after(key)));
        }
        curves.inserted.push_back(inserted ? 1 : 0);
    }
    return curves;
}

/// Three significant digits, in every locale.
std::string short_number(double value) {
    std::array<char, 32> text{};
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 3);
    return {text.data(), written.ptr};
}

/// Euler curves, with a warning if Blender cannot show the track in them.
BoneCurves fitted_euler_curves(const Track& track, const armature::BoneSpace& space,
                               const armature::Armature& armature, std::size_t bone, const Timing& timing,
                               std::vector<std::string>& warnings) {
    EulerCurves fitted = euler_curves(track, space, bone, armature.bones[bone].rotation_channel, timing);
    if (fitted.error_degrees > euler_tolerance_degrees) {
        warnings.push_back(
            "bone " + armature.bones[bone].name + " passes gimbal lock: its Euler angles are up to " +
            short_number(fitted.error_degrees) + " degrees off near frame " +
            std::to_string(std::llround(fitted.error_frame)) + "; a quaternion would be exact");
    }
    return std::move(fitted.curves);
}

/// Warns of settings of the bone that affect such curves.
void note_bone(const armature::Bone& bone, Channel channel, std::vector<std::string>& warnings) {
    if (channel == Channel::translation && bone.connected) {
        warnings.push_back("bone " + bone.name +
                           " is connected to its parent: Blender ignores its location keys");
    }
    if (channel == Channel::rotation && bone.parent && !bone.inherits_rotation) {
        warnings.push_back("bone " + bone.name +
                           " does not inherit rotation: it will not follow its parent as the avatar's joint "
                           "does");
    }
}

void note_close_keys(const std::vector<float>& points, const std::string& joint,
                     std::vector<CloseKey>& close_keys) {
    for (std::size_t key = 1; 2 * key < points.size(); ++key) {
        const double gap = static_cast<double>(points[2 * key]) - points[2 * key - 2];
        if (gap < merge_distance_frames) {
            close_keys.push_back({joint, points[2 * key]});
        }
    }
}

/// Steps and lines of whole rows, which Blender's curves show like the clip.
bool is_plain(const Track& track) {
    return track.channel != Channel::property && !track.component &&
           std::ranges::find(track.interpolation, Interpolation::bezier) == track.interpolation.end();
}

/// The clip's tracks, split into those that become curves key by key and the rest.
class Splitter {
public:
    Splitter(const Clip& clip, const armature::Armature& armature, const armature::BoneMap& map,
             const Timing& timing)
        : clip_(clip), armature_(armature), map_(map), timing_(timing) {}

    /// Adds curves to the result; returns the tracks that need curves with common keys.
    Clip split(CurvesFromClip& result) {
        Clip rest{clip_.skeleton, {}, {}, clip_.duration_seconds};
        std::map<std::pair<std::size_t, Channel>, std::vector<const Track*>> groups;
        for (const Track& track : clip_.tracks) {
            if (track.channel == Channel::property) {
                result.curves.push_back(property_curve(track, timing_));
            } else if (is_plain(track)) {
                rest.tracks.push_back(track);
            } else {
                groups[{track.node, track.channel}].push_back(&track);
            }
        }
        for (const auto& [name, tracks] : groups) {
            if (!add_key_curves(tracks, result)) {
                for (const Track* track : tracks) {
                    rest.tracks.push_back(*track);
                }
            }
        }
        return with_linear_rows(rest, 1.0 / timing_.frames_per_second);
    }

private:
    bool add_key_curves(const std::vector<const Track*>& tracks, CurvesFromClip& result) {
        const std::size_t node = tracks.front()->node;
        const Channel channel = tracks.front()->channel;
        const auto bone = node < map_.bone_of_node.size() ? map_.bone_of_node[node] : std::nullopt;
        if (!bone || (channel == Channel::rotation &&
                      armature_.bones[*bone].rotation_channel != armature::BoneChannel::quaternion)) {
            return false;
        }
        const auto axes = axis_map(armature::BoneSpace(clip_.skeleton, node, armature_, map_), channel);
        if (!axes) {
            return false;
        }
        const BoneCurves& curves = result.curves.emplace_back(key_curves(tracks, *axes, *bone, timing_));
        for (const std::vector<float>& points : curves.points) {
            note_close_keys(points, clip_.skeleton.nodes[node].name, result.close_keys);
        }
        note_bone(armature_.bones[*bone], channel, result.warnings);
        return true;
    }

    const Clip& clip_;
    const armature::Armature& armature_;
    const armature::BoneMap& map_;
    const Timing& timing_;
};

/// Curves for the clip's tracks of whole rows.
void add_row_curves(const Clip& clip, const armature::Armature& armature, const armature::BoneMap& map,
                    const Timing& timing, CurvesFromClip& result) {
    for (const Track& track : clip.tracks) {
        const auto bone_index =
            track.node < map.bone_of_node.size() ? map.bone_of_node[track.node] : std::nullopt;
        if (!bone_index) {
            if (result.unmatched_nodes.empty() || result.unmatched_nodes.back() != track.node) {
                result.unmatched_nodes.push_back(track.node);
            }
            continue;
        }
        const armature::Bone& bone = armature.bones[*bone_index];
        const armature::BoneSpace space(clip.skeleton, track.node, armature, map);
        const bool angles = track.channel == Channel::rotation && is_euler(bone.rotation_channel);
        const BoneCurves& curves = result.curves.emplace_back(
            angles ? fitted_euler_curves(track, space, armature, *bone_index, timing, result.warnings)
                   : bone_curves(track, space, *bone_index, timing));
        note_close_keys(curves.points.front(), clip.skeleton.nodes[track.node].name, result.close_keys);
        for (const std::uint8_t inserted : curves.inserted) {
            result.inserted_keys += inserted;
        }
        note_bone(bone, track.channel, result.warnings);
    }
}

}  // namespace

CurvesFromClip curves_from_clip(const Clip& clip, const armature::Armature& armature,
                                const armature::BoneMap& map, const Timing& timing) {
    CurvesFromClip result;
    if (!std::ranges::all_of(clip.tracks, is_plain)) {
        const Clip rest = Splitter(clip, armature, map, timing).split(result);
        add_row_curves(rest, armature, map, timing, result);
        return result;
    }
    add_row_curves(clip, armature, map, timing, result);
    return result;
}

namespace {

/// The rounding error of single-precision rest matrices for a quarter turn.
constexpr double aligned_within = 1e-6;

using Row = std::array<double, 4>;

Row bone_row(const armature::BoneSpace& space, Channel channel, const Row& joint) {
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

BoneCurves empty_curves(std::size_t bone, armature::BoneChannel channel) {
    BoneCurves curves{bone, channel, {}, {}};
    const std::size_t width = armature::components_of(channel);
    curves.points.resize(width);
    curves.interpolation.resize(width);
    curves.handles_left.resize(width);
    curves.handles_right.resize(width);
    return curves;
}

std::optional<Channel> channel_of(armature::BoneChannel channel) {
    switch (channel) {
        case armature::BoneChannel::location:
            return Channel::translation;
        case armature::BoneChannel::quaternion:
            return Channel::rotation;
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<AxisMap> axis_map(const armature::BoneSpace& space, Channel channel) {
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
    BoneCurves curves =
        empty_curves(bone, moves ? armature::BoneChannel::location : armature::BoneChannel::quaternion);
    const std::size_t width = armature::components_of(curves.channel);
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

Result<Track> curve_track(const CurveView& curve, const armature::Armature& armature, const Timing& timing) {
    const bool is_property = curve.channel == armature::BoneChannel::property;
    TRY(auto track, scalar_track(curve, is_property ? armature::Bone{} : armature.bones[curve.bone]));
    AxisMap same;
    same.factor[0] = 1.0;
    track = joint_track(std::move(track), 0, Channel::property, 0, same, timing);
    track.component.reset();
    track.property = curve.property;
    return track;
}

BoneCurves property_curve(const Track& track, const Timing& timing) {
    BoneCurves curves = empty_curves(no_bone, armature::BoneChannel::property);
    curves.property = track.property;
    CurveMaker(track, 0, timing, 1.0, 0.0).add_to(curves, 0);
    return curves;
}

Result<Clip> clip_of_keys(std::span<const CurveView> curves, const Skeleton& skeleton,
                          const armature::Armature& armature, const armature::BoneMap& map,
                          const Timing& timing, double duration_seconds) {
    Clip clip{skeleton, {}, {}, duration_seconds};
    std::vector<CurveView> sampled;
    for (const CurveView& curve : curves) {
        if (curve.channel == armature::BoneChannel::property) {
            TRY(auto track, curve_track(curve, armature, timing));
            clip.tracks.push_back(std::move(track));
            continue;
        }
        const auto node = map.node_of_bone[curve.bone];
        const auto channel = channel_of(curve.channel);
        const auto axes = node && channel
                              ? axis_map(armature::BoneSpace(skeleton, *node, armature, map), *channel)
                              : std::nullopt;
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

}  // namespace animbridge::rig::curves
