// SPDX-License-Identifier: MIT
#include "formats/mrtk/clip/clip.h"

#include <algorithm>
#include <array>
#include <utility>

#include "formats/mrtk/curves/curves.h"

namespace animbridge::mrtk::clip {

namespace {

/// The handle that leaves a key to the right, or, with the left key's sign flipped, the one that arrives from
/// there.
struct Reach {
    double time = 0;
    double value = 0;
};

Reach reach_of(double tangent, double weight, double length, double sign) {
    return {weight * length, sign * tangent * weight * length};
}

Track number_track(const curves::CurveView& curve, std::size_t node, const curves::PoseNumber& number) {
    Track track{node, number.channel};
    track.component = number.component;
    bool curved = false;
    track.handles.resize(curve.size());
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const curves::CurveKey key = curve.key(i);
        track.add_key(key.time, std::array{number.sign * key.value});
        track.interpolation.push_back(Interpolation::linear);
        if (i + 1 == curve.size()) {
            break;
        }
        const curves::CurveKey next = curve.key(i + 1);
        const curves::Segment segment = curves::segment_between(key, next);
        if (segment.kind == curves::Segment::Kind::step) {
            track.interpolation.back() = Interpolation::step;
        } else if (segment.kind == curves::Segment::Kind::curved) {
            curved = true;
            track.interpolation.back() = Interpolation::bezier;
            const double length = next.time - key.time;
            const Reach out = reach_of(key.out_tangent, segment.out_weight, length, number.sign);
            const Reach in = reach_of(next.in_tangent, segment.in_weight, length, number.sign);
            track.handles[i].out_time = out.time;
            track.handles[i].out_value = out.value;
            track.handles[i + 1].in_time = -in.time;
            track.handles[i + 1].in_value = -in.value;
        }
    }
    if (!curved) {
        track.handles.clear();
    }
    return track;
}

/// A quaternion whose W has no keys has W = 0 in Unity, where a joint at rest has 1.
Track zero_track(std::size_t node, const curves::PoseNumber& number) {
    Track track{node, number.channel};
    track.component = number.component;
    track.add_key(0.0, std::array{0.0});
    return track;
}

void add_pose(const curves::LooseCurves& curves, std::size_t pose, std::size_t node, Clip& clip) {
    bool turns = false;
    for (std::size_t i = 0; i < file::pose_curves; ++i) {
        const curves::PoseNumber number = curves::pose_number(i);
        const curves::CurveView curve = curves[file::first_curve_of(pose) + i].view();
        turns = turns || (number.channel == Channel::rotation && !curve.empty());
        if (!curve.empty()) {
            clip.tracks.push_back(number_track(curve, node, number));
        } else if (turns && i == curves::rotation_w) {
            clip.tracks.push_back(zero_track(node, number));
        }
    }
}

}  // namespace

void add_gaze_tracks(const play::Player& player, std::size_t pose, std::size_t node, Clip& clip) {
    const std::size_t first = file::first_gaze_curve + 3 * (pose - hands::gaze_pose);
    for (std::size_t i = 0; i < 3; ++i) {
        const curves::CurveView& curve = player.curve(first + i);
        if (!curve.empty()) {
            clip.tracks.push_back(number_track(curve, node, curves::pose_number(i)));
        }
    }
}

Clip to_clip(const file::Document& document, const play::Player& player, const hands::HandRig& rig,
             Signs signs) {
    curves::LooseCurves curves = curves::taken_apart(document);
    std::ranges::for_each(curves, curves::sort_keys);
    if (signs == Signs::continuous) {
        edit::continue_signs(curves);
    }
    Clip clip{rig.skeleton, {}, {}, player.duration_seconds()};
    for (std::size_t node = 0; node < rig.skeleton.nodes.size(); ++node) {
        const std::size_t pose = rig.pose_of_node[node];
        if (pose < hands::gaze_pose) {
            add_pose(curves, pose, node, clip);
        } else {
            add_gaze_tracks(player, pose, node, clip);
        }
    }
    add_switches_and_markers(document, player, clip);
    return clip;
}

namespace {

void add_pose_key(double seconds, const Transform& local, Track& rotation, Track& translation) {
    const std::size_t keys = rotation.key_count();
    glm::dquat turn = local.rotation;
    if (keys > 0 && glm::dot(rotation.rotation(keys - 1), turn) < 0.0) {
        turn = -turn;
    }
    rotation.add_key(seconds, std::array{turn.w, turn.x, turn.y, turn.z});
    const glm::dvec3& place = local.translation;
    translation.add_key(seconds, std::array{place.x, place.y, place.z});
}

/// Adds the tracks of the camera or of a hand; returns the remaining difference.
JointDifference add_shared_tracks(const hands::SharedPoses& poses, Clip& clip) {
    const hands::SharedTimes times = hands::shared_times(poses);
    if (times.seconds.empty()) {
        return {};
    }
    const std::size_t first = clip.tracks.size();
    for (std::size_t i = 0; i < poses.size(); ++i) {
        clip.tracks.push_back({poses.node(i), Channel::rotation});
        clip.tracks.push_back({poses.node(i), Channel::translation});
    }
    for (std::size_t track = first; track < clip.tracks.size(); ++track) {
        clip.tracks[track].times.reserve(times.seconds.size());
        clip.tracks[track].values.reserve(times.seconds.size() * clip.tracks[track].width());
    }
    for (const double seconds : times.seconds) {
        const std::vector<Transform> local = poses.local(poses.world(seconds));
        for (std::size_t i = 0; i < local.size(); ++i) {
            add_pose_key(seconds, local[i], clip.tracks[first + 2 * i], clip.tracks[first + 2 * i + 1]);
        }
    }
    if (std::ranges::find(times.inserted, true) != times.inserted.end()) {
        for (std::size_t track = first; track < clip.tracks.size(); ++track) {
            clip.tracks[track].inserted = times.inserted;
        }
    }
    return times.difference;
}

/// The nodes of the rig that share keys: the camera's, then each hand's.
std::array<std::vector<std::size_t>, 1 + file::hand_count> nodes_by_owner(const hands::HandRig& rig) {
    std::array<std::vector<std::size_t>, 1 + file::hand_count> owners;
    for (std::size_t node = 0; node < rig.pose_of_node.size(); ++node) {
        const std::size_t pose = rig.pose_of_node[node];
        if (pose < hands::gaze_pose) {
            owners.at(pose == 0 ? 0 : 1 + file::hand_of(pose)).push_back(node);
        }
    }
    return owners;
}

}  // namespace

HandMotion hand_motion(const file::Document& document, const play::Player& player,
                       const hands::HandRig& rig) {
    HandMotion motion{{rig.skeleton, {}, {}, player.duration_seconds()}};
    Comparison owners;
    for (std::vector<std::size_t>& nodes : nodes_by_owner(rig)) {
        owners.joints.push_back(add_shared_tracks({player, rig, std::move(nodes)}, motion.clip));
    }
    motion.difference = owners.worst();
    for (std::size_t node = 0; node < rig.pose_of_node.size(); ++node) {
        if (rig.pose_of_node[node] >= hands::gaze_pose) {
            add_gaze_tracks(player, rig.pose_of_node[node], node, motion.clip);
        }
    }
    add_switches_and_markers(document, player, motion.clip);
    return motion;
}

std::optional<std::string> HandMotion::warning() const {
    if (difference.position_mm <= hands::hand_bound_mm &&
        difference.rotation_degrees <= hands::hand_bound_degrees) {
        return std::nullopt;
    }
    return "between keys, " + difference.joint + " and other joints are up to " +
           measured_text(difference.position_mm) + " mm and " + measured_text(difference.rotation_degrees) +
           " degrees from where the recording has them";
}

void add_switches_and_markers(const file::Document& document, const play::Player& player, Clip& clip) {
    for (std::size_t i = 0; i < file::switch_count && !clip.skeleton.nodes.empty(); ++i) {
        const curves::CurveView& curve = player.curve(file::first_switch + i);
        Track track{0, Channel::property};
        track.property = file::switch_names.at(i);
        for (std::size_t key = 0; key < curve.size(); ++key) {
            track.add_key(curve.time(key), std::array{curve.value(key) > 0.5 ? 1.0 : 0.0});
            track.interpolation.push_back(Interpolation::step);
        }
        if (track.key_count() > 0) {
            clip.tracks.push_back(std::move(track));
        }
    }
    for (const file::NamedMarker& marker : file::named_markers(document)) {
        clip.markers.push_back({std::string(marker.name), static_cast<double>(marker.time.value())});
    }
}

}  // namespace animbridge::mrtk::clip
