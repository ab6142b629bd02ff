// SPDX-License-Identifier: MIT
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "rig/curves.h"
#include "rig/euler.h"
#include "rig/euler_fit.h"

namespace animbridge::rig {

namespace {

/// The bone's channel values for one key of a track.
std::array<double, 4> bone_values(const BoneSpace& space, const Track& track, std::size_t key) {
    if (track.channel == Channel::rotation) {
        const glm::dquat q = space.rotation_to_bone(track.rotation(key));
        return {q.w, q.x, q.y, q.z};
    }
    const glm::dvec3 v = space.location_to_bone(track.translation(key));
    return {v.x, v.y, v.z, 0.0};
}

/// Whether an inserted key is so close to its neighbours that newer Blenders would merge them.
bool crowds(const Track& track, std::size_t key, const Timing& timing, const std::vector<float>& points) {
    const double frame = timing.frame_at(track.times[key]);
    return frame - points[points.size() - 2] < merge_distance_frames ||
           timing.frame_at(track.times[key + 1]) - frame < merge_distance_frames;
}

BoneCurves bone_curves(const Track& track, const BoneSpace& space, std::size_t bone, const Timing& timing) {
    const std::size_t components = width_of(track.channel);
    BoneCurves curves{
        bone, track.channel == Channel::rotation ? BoneChannel::quaternion : BoneChannel::location, {}, {}};
    curves.points.resize(components);
    for (std::vector<float>& points : curves.points) {
        points.reserve(track.key_count() * 2);
    }
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
        curves.inserted.push_back(inserted ? 1 : 0);
    }
    return curves;
}

/// Three significant digits, whatever the locale.
std::string short_number(double value) {
    std::array<char, 32> text{};
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 3);
    return {text.data(), written.ptr};
}

/// Euler curves, with a warning if Blender cannot show the track in them.
BoneCurves fitted_euler_curves(const Track& track, const BoneSpace& space, const Armature& armature,
                               std::size_t bone, const Timing& timing, std::vector<std::string>& warnings) {
    EulerCurves fitted = euler_curves(track, space, bone, armature.bones[bone].rotation_channel, timing);
    if (fitted.error_degrees > euler_tolerance_degrees) {
        warnings.push_back(
            "bone " + armature.bones[bone].name + " passes gimbal lock: its Euler angles are up to " +
            short_number(fitted.error_degrees) + " degrees off near frame " +
            std::to_string(std::llround(fitted.error_frame)) + "; a quaternion would be exact");
    }
    return std::move(fitted.curves);
}

void note_close_keys(const BoneCurves& curves, const std::string& joint, std::vector<CloseKey>& close_keys) {
    const std::vector<float>& points = curves.points.front();
    for (std::size_t key = 1; 2 * key < points.size(); ++key) {
        const double gap = static_cast<double>(points[2 * key]) - points[2 * key - 2];
        if (gap < merge_distance_frames) {
            close_keys.push_back({joint, points[2 * key]});
        }
    }
}

}  // namespace

CurvesFromClip curves_from_clip(const Clip& clip, const Armature& armature, const BoneMap& map,
                                const Timing& timing) {
    CurvesFromClip result;
    for (const Track& track : clip.tracks) {
        const auto bone_index =
            track.node < map.bone_of_node.size() ? map.bone_of_node[track.node] : std::nullopt;
        if (!bone_index) {
            if (result.unmatched_nodes.empty() || result.unmatched_nodes.back() != track.node) {
                result.unmatched_nodes.push_back(track.node);
            }
            continue;
        }
        const Bone& bone = armature.bones[*bone_index];
        const BoneSpace space(clip.skeleton, track.node, armature, map);
        const bool angles = track.channel == Channel::rotation && is_euler(bone.rotation_channel);
        const BoneCurves& curves = result.curves.emplace_back(
            angles ? fitted_euler_curves(track, space, armature, *bone_index, timing, result.warnings)
                   : bone_curves(track, space, *bone_index, timing));
        note_close_keys(curves, clip.skeleton.nodes[track.node].name, result.close_keys);
        for (const std::uint8_t inserted : curves.inserted) {
            result.inserted_keys += inserted;
        }
        if (track.channel == Channel::translation && bone.connected) {
            result.warnings.push_back("bone " + bone.name +
                                      " is connected to its parent: Blender ignores its location keys");
        }
        if (track.channel == Channel::rotation && bone.parent && !bone.inherits_rotation) {
            result.warnings.push_back(
                "bone " + bone.name +
                " does not inherit rotation: it will not follow its parent as the avatar's joint does");
        }
    }
    return result;
}

}  // namespace animbridge::rig
