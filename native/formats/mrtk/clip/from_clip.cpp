// SPDX-License-Identifier: MIT
#include "formats/mrtk/clip/clip.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "formats/mrtk/curves/curves.h"

namespace animbridge::mrtk::clip {

namespace {

file::FullKey linear_key(double seconds, double value) {
    return curves::full_key_of({RawFloat(static_cast<float>(seconds)), RawFloat(static_cast<float>(value))});
}

/// The tangent and weight of a handle that reaches `time` and `value` into a segment.
struct Tangent {
    RawFloat slope{};
    RawFloat weight{};
};

Tangent tangent_of(double time, double value, double length) {
    // Blender shortens a handle that is longer than its segment.
    const double share = std::min(time / length, 1.0);
    return time > 0.0 && length > 0.0
               ? Tangent{RawFloat(static_cast<float>(value / time)), RawFloat(static_cast<float>(share))}
               : Tangent{};
}

/// Whether a handle is vertical, which no tangent can be.
bool is_vertical(double time, double value) { return time <= 0.0 && value != 0.0; }

/// The keys of one number of a track as a curve of a recording.
class KeyMaker {
public:
    KeyMaker(const Track& track, std::size_t number, double sign)
        : track_(track), number_(number), sign_(sign) {}

    [[nodiscard]] std::vector<file::FullKey> keys() const {
        std::vector<file::FullKey> keys;
        for (std::size_t i = 0; i < track_.key_count(); ++i) {
            keys.push_back(linear_key(track_.times[i], sign_ * track_.value(i)[number_]));
            if (i > 0) {
                end_segment(i - 1, keys);
            }
            if (i + 1 < track_.key_count()) {
                begin_segment(i, keys);
            }
        }
        return keys;
    }

private:
    [[nodiscard]] Interpolation kind(std::size_t segment) const {
        return track_.interpolation_after(segment);
    }
    [[nodiscard]] const Handles& handles(std::size_t key) const {
        return track_.handles[key * track_.width() + number_];
    }
    [[nodiscard]] double length(std::size_t segment) const {
        return track_.times[segment + 1] - track_.times[segment];
    }
    [[nodiscard]] bool is_baked(std::size_t segment) const {
        return kind(segment) == Interpolation::bezier &&
               (is_vertical(handles(segment).out_time, handles(segment).out_value) ||
                is_vertical(-handles(segment + 1).in_time, handles(segment + 1).in_value));
    }

    void begin_segment(std::size_t segment, std::vector<file::FullKey>& keys) const {
        file::FullKey& key = keys.back();
        if (kind(segment) == Interpolation::step) {
            key.out_tangent = RawFloat(std::numeric_limits<float>::infinity());
        } else if (is_baked(segment)) {
            const double from = track_.times[segment];
            const int pieces = edit::lines_of(length(segment));
            for (int piece = 1; piece < pieces; ++piece) {
                const double seconds = from + length(segment) * piece / pieces;
                keys.push_back(
                    linear_key(seconds, sign_ * bezier_between(track_, segment, seconds, number_)));
            }
        } else if (kind(segment) == Interpolation::bezier) {
            const Handles& reach = handles(segment);
            const Tangent out = tangent_of(reach.out_time, sign_ * reach.out_value, length(segment));
            key.out_tangent = out.slope;
            key.out_weight = out.weight;
        }
    }

    void end_segment(std::size_t segment, std::vector<file::FullKey>& keys) const {
        if (kind(segment) == Interpolation::bezier && !is_baked(segment)) {
            const Handles& reach = handles(segment + 1);
            const Tangent in = tangent_of(-reach.in_time, -sign_ * reach.in_value, length(segment));
            keys.back().in_tangent = in.slope;
            keys.back().in_weight = in.weight;
        }
    }

    const Track& track_;
    std::size_t number_;
    double sign_;
};

/// The first curve of a node in the file; nullopt if the recording has no such node.
struct FirstCurve {
    std::size_t first_curve = 0;
    bool is_pose = true;  ///< else three numbers of the gaze
};

std::optional<FirstCurve> target_of(const std::string& name) {
    if (name == file::gaze_name) {
        return FirstCurve{file::first_gaze_curve, false};
    }
    if (name == file::gaze_direction_name) {
        return FirstCurve{file::first_gaze_curve + 3, false};
    }
    const auto pose = file::pose_named(name);
    return pose ? std::optional(FirstCurve{file::first_curve_of(*pose), true}) : std::nullopt;
}

class ClipReader {
public:
    explicit ClipReader(const Clip& clip) : clip_(clip) {
        for (const Track& track : clip.tracks) {
            if (track.channel != Channel::property) {
                moved_.insert(track.node);
            }
        }
    }

    FromClip read() {
        for (std::size_t node = 0; node < clip_.skeleton.nodes.size(); ++node) {
            read_node(node);
        }
        for (const Track& track : clip_.tracks) {
            if (track.channel == Channel::property) {
                read_property(track);
            }
        }
        read_hanging();
        for (const animbridge::Marker& marker : clip_.markers) {
            made_.recording.markers.push_back(
                {RawFloat(static_cast<float>(marker.time_seconds)), marker.name});
        }
        return std::move(made_);
    }

private:
    void read_node(std::size_t node) {
        const Node& joint = clip_.skeleton.nodes[node];
        const auto target = target_of(joint.name);
        if (!target) {
            if (moved_.contains(node)) {
                made_.left_out.push_back("the motion of " + joint.name);
            }
            return;
        }
        if (joint.parent && target->is_pose) {
            hanging_.push_back(node);
            return;
        }
        for (const Track& track : clip_.tracks) {
            if (track.node == node && track.channel != Channel::property) {
                read_track(track, *target);
            }
        }
        if (moved_.contains(node)) {
            hold_rest(joint.rest_local, *target);
        }
    }

    /// A moving node gets a key at rest in every channel without keys.
    void hold_rest(const Transform& rest, const FirstCurve& target) {
        const glm::dvec3 place = play::swapped(rest.translation);
        const glm::dquat turn = play::swapped(rest.rotation);
        const std::array<double, file::pose_curves> numbers = {place.x, place.y, place.z, turn.x,
                                                               turn.y,  turn.z,  turn.w};
        for (std::size_t i = 0; i < (target.is_pose ? file::pose_curves : 3); ++i) {
            auto& keys = made_.recording.curves.at(target.first_curve + i).keys;
            if (keys.empty()) {
                keys.push_back(linear_key(0.0, numbers.at(i)));
            }
        }
    }

    void read_track(const Track& track, const FirstCurve& target) {
        if (!target.is_pose && track.channel == Channel::rotation) {
            return;
        }
        for (std::size_t i = 0; i < track.width(); ++i) {
            const std::size_t component = track.component ? *track.component : i;
            const std::size_t curve = curves::curve_of_number(track.channel, component);
            made_.recording.curves.at(target.first_curve + curve).keys =
                KeyMaker(track, i, curves::pose_number(curve).sign).keys();
        }
    }

    void read_property(const Track& track) {
        const auto* const found =
            std::find(file::switch_names.begin(), file::switch_names.end(), track.property);
        if (found == file::switch_names.end()) {
            made_.left_out.push_back("the property " + track.property);
            return;
        }
        auto& keys =
            made_.recording.curves
                .at(file::first_switch + static_cast<std::size_t>(found - file::switch_names.begin()))
                .keys;
        for (std::size_t i = 0; i < track.key_count(); ++i) {
            keys.push_back(linear_key(track.times[i], track.value(i)[0] > 0.5 ? 1.0 : 0.0));
        }
    }

    /// Reads nodes with a parent, by their poses in the world.
    void read_hanging() {
        if (hanging_.empty()) {
            return;
        }
        std::vector<std::set<double>> times(clip_.skeleton.nodes.size());
        for (const Track& track : clip_.tracks) {
            if (track.channel != Channel::property) {
                times[track.node].insert(track.times.begin(), track.times.end());
            }
        }
        std::set<double> all;
        for (std::size_t node = 0; node < times.size(); ++node) {
            if (const auto parent = clip_.skeleton.nodes[node].parent) {
                times[node].insert(times[*parent].begin(), times[*parent].end());
            }
        }
        for (const std::size_t node : hanging_) {
            all.insert(times[node].begin(), times[node].end());
        }
        ClipPoser poser(clip_);
        for (const double seconds : all) {
            poser.pose(seconds);
            for (const std::size_t node : hanging_) {
                if (times[node].contains(seconds)) {
                    add_pose(node, seconds, poser.world()[node]);
                }
            }
        }
    }

    void add_pose(std::size_t node, double seconds, const Transform& world) {
        const std::size_t first = target_of(clip_.skeleton.nodes[node].name)->first_curve;
        auto& curves = made_.recording.curves;
        const glm::dvec3 place = play::swapped(world.translation);
        glm::dquat turn = play::swapped(world.rotation);
        if (!curves.at(first + 3).keys.empty()) {
            const auto last = [&](std::size_t i) {
                return static_cast<double>(curves.at(first + 3 + i).keys.back().value.value());
            };
            turn = glm::dot(glm::dquat(last(3), last(0), last(1), last(2)), turn) < 0.0 ? -turn : turn;
        }
        const std::array<double, file::pose_curves> numbers = {place.x, place.y, place.z, turn.x,
                                                               turn.y,  turn.z,  turn.w};
        for (std::size_t i = 0; i < file::pose_curves; ++i) {
            curves.at(first + i).keys.push_back(linear_key(seconds, numbers.at(i)));
        }
    }

    const Clip& clip_;
    FromClip made_{};
    std::set<std::size_t> moved_{};
    std::vector<std::size_t> hanging_{};
};

}  // namespace

FromClip from_clip(const Clip& clip) { return ClipReader(clip).read(); }

namespace {

std::optional<std::size_t> pose_of_bone(const std::string& name) {
    if (name == file::gaze_name) {
        return hands::gaze_pose;
    }
    return name == file::gaze_direction_name ? std::optional(hands::gaze_direction_pose)
                                             : file::pose_named(name);
}

std::optional<std::size_t> node_of_pose(const hands::HandRig& rig, std::size_t pose) {
    for (std::size_t node = 0; node < rig.pose_of_node.size(); ++node) {
        if (rig.pose_of_node[node] == pose) {
            return node;
        }
    }
    return std::nullopt;
}

}  // namespace

rig::armature::BoneMap bones_by_name(const Skeleton& skeleton, const rig::armature::Armature& armature) {
    rig::armature::BoneMap map;
    map.bone_of_node.resize(skeleton.nodes.size());
    map.node_of_bone.resize(armature.bones.size());
    map.by.resize(armature.bones.size());
    for (std::size_t bone = 0; bone < armature.bones.size(); ++bone) {
        if (const auto node = skeleton.find(armature.bones[bone].name)) {
            map.bone_of_node[*node] = bone;
            map.node_of_bone[bone] = *node;
            map.by[bone] = "name";
        }
    }
    return map;
}

hands::HandRig rig_of_bones(const rig::armature::Armature& armature, std::span<const std::uint8_t> exported) {
    hands::HandRig rig;
    const auto is_exported = [&](std::size_t bone) { return exported.empty() || exported[bone] != 0; };
    const auto add = [&](const rig::armature::Bone& bone, std::size_t pose) {
        rig.skeleton.nodes.push_back({bone.name, {}, std::nullopt, bone.rest});
        rig.pose_of_node.push_back(pose);
        rig.length_of_node.push_back(hands::tip_length);
    };
    bool has_gaze = false;
    for (std::size_t bone = 0; bone < armature.bones.size(); ++bone) {
        const auto pose = pose_of_bone(armature.bones[bone].name);
        has_gaze = has_gaze || (pose >= hands::gaze_pose && is_exported(bone));
    }
    for (std::size_t bone = 0; bone < armature.bones.size(); ++bone) {
        const auto pose = pose_of_bone(armature.bones[bone].name);
        if (pose && (*pose < hands::gaze_pose ? is_exported(bone) : *pose == hands::gaze_pose && has_gaze)) {
            add(armature.bones[bone], *pose);
        }
    }
    for (const rig::armature::Bone& bone : armature.bones) {
        if (pose_of_bone(bone.name) == hands::gaze_direction_pose && has_gaze) {
            add(bone, hands::gaze_direction_pose);
            // The direction is relative to the ray's origin if that is its parent.
            const auto gaze = bone.parent ? node_of_pose(rig, hands::gaze_pose) : std::nullopt;
            Node& node = rig.skeleton.nodes.back();
            if (gaze) {
                node.parent = gaze;
                node.rest_local = {};
            }
        }
    }
    return rig;
}

}  // namespace animbridge::mrtk::clip
