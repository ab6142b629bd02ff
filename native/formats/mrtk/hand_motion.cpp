// SPDX-License-Identifier: MIT
#include "formats/mrtk/hand_motion.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text_table.h"
#include "formats/mrtk/clip.h"
#include "formats/mrtk/hand_times.h"
#include "formats/mrtk/names.h"

namespace animbridge::mrtk {

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
JointDifference add_shared_tracks(const SharedPoses& poses, Clip& clip) {
    const SharedTimes times = shared_times(poses);
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
    if (std::find(times.inserted.begin(), times.inserted.end(), true) != times.inserted.end()) {
        for (std::size_t track = first; track < clip.tracks.size(); ++track) {
            clip.tracks[track].inserted = times.inserted;
        }
    }
    return times.difference;
}

/// The nodes of the rig that share keys: the camera's, then each hand's.
std::array<std::vector<std::size_t>, 1 + hand_count> nodes_by_owner(const HandRig& rig) {
    std::array<std::vector<std::size_t>, 1 + hand_count> owners;
    for (std::size_t node = 0; node < rig.pose_of_node.size(); ++node) {
        const std::size_t pose = rig.pose_of_node[node];
        if (pose < gaze_pose) {
            owners.at(pose == 0 ? 0 : 1 + hand_of(pose)).push_back(node);
        }
    }
    return owners;
}

}  // namespace

HandMotion hand_motion(const Document& document, const Player& player, const HandRig& rig) {
    HandMotion motion{{rig.skeleton, {}, {}, player.duration_seconds()}};
    Comparison owners;
    for (std::vector<std::size_t>& nodes : nodes_by_owner(rig)) {
        owners.joints.push_back(add_shared_tracks({player, rig, std::move(nodes)}, motion.clip));
    }
    motion.difference = owners.worst();
    for (std::size_t node = 0; node < rig.pose_of_node.size(); ++node) {
        if (rig.pose_of_node[node] >= gaze_pose) {
            add_gaze_tracks(player, rig.pose_of_node[node], node, motion.clip);
        }
    }
    add_switches_and_markers(document, player, motion.clip);
    return motion;
}

std::optional<std::string> HandMotion::warning() const {
    if (difference.position_mm <= hand_bound_mm && difference.rotation_degrees <= hand_bound_degrees) {
        return std::nullopt;
    }
    return "between keys, " + difference.joint + " and other joints are up to " +
           measured_text(difference.position_mm) + " mm and " + measured_text(difference.rotation_degrees) +
           " degrees from where the recording has them";
}

void add_switches_and_markers(const Document& document, const Player& player, Clip& clip) {
    for (std::size_t i = 0; i < switch_count && !clip.skeleton.nodes.empty(); ++i) {
        const CurveView& curve = player.curve(first_switch + i);
        Track track{0, Channel::property};
        track.property = switch_names.at(i);
        for (std::size_t key = 0; key < curve.size(); ++key) {
            track.add_key(curve.time(key), std::array{curve.value(key) > 0.5 ? 1.0 : 0.0});
            track.interpolation.push_back(Interpolation::step);
        }
        if (track.key_count() > 0) {
            clip.tracks.push_back(std::move(track));
        }
    }
    for (const NamedMarker& marker : named_markers(document)) {
        clip.markers.push_back({std::string(marker.name), static_cast<double>(marker.time.value())});
    }
}

}  // namespace animbridge::mrtk
