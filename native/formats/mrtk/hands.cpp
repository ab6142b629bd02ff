// SPDX-License-Identifier: MIT
#include "formats/mrtk/hands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "formats/mrtk/assemble.h"
#include "formats/mrtk/axes.h"
#include "formats/mrtk/hand_shape.h"
#include "formats/mrtk/names.h"
#include "formats/mrtk/unity_curve.h"

namespace animbridge::mrtk {

namespace {

constexpr std::size_t gaze_direction_pose = gaze_pose + 1;
/// Where the wrists of hands without a recording are: before the chest, the left one at -X.
constexpr glm::dvec3 left_wrist{-0.2, 0.35, 1.2};

Transform inverse(const Transform& of) {
    const glm::dquat back = glm::conjugate(of.rotation);
    return {back, -(back * of.translation)};
}

Transform world_of(const Player& player, std::size_t pose, double seconds) {
    const ShownPose shown = player.pose(pose, seconds);
    return {swapped(shown.meant), swapped(shown.position)};
}

/// How long before its end a step is still held: more than the 0.01 frames within which newer Blenders merge
/// keys.
constexpr double step_edge_seconds = 1e-3;

/// The times of the keys, and those between them that lines need to follow a curve or a step.
void add_times(const CurveView& curve, std::set<double>& times) {
    for (std::size_t key = 0; key < curve.size(); ++key) {
        const double from = curve.time(key);
        times.insert(from);
        if (key + 1 == curve.size()) {
            return;
        }
        const double to = curve.time(key + 1);
        const Segment segment = segment_between(curve.key(key), curve.key(key + 1));
        if (segment.kind == Segment::Kind::step && to > from) {
            times.insert(std::max(to - step_edge_seconds, 0.5 * (from + to)));
        } else if (segment.kind == Segment::Kind::curved) {
            const int pieces = lines_of(to - from);
            for (int piece = 1; piece < pieces; ++piece) {
                times.insert(from + (to - from) * piece / pieces);
            }
        }
    }
}

void add_pose_times(const Player& player, std::size_t pose, std::set<double>& times) {
    for (std::size_t i = 0; i < pose_curves; ++i) {
        add_times(player.curve(first_curve_of(pose) + i), times);
    }
}

/// When all joints of the hand have been seen for the first time, and the hand is tracked.
double first_tracked(const Player& player, std::size_t hand) {
    double seen = 0.0;
    bool any = false;
    for (std::size_t joint = wrist; joint < joint_count; ++joint) {
        std::set<double> times;
        add_pose_times(player, pose_of(hand, joint), times);
        if (!times.empty()) {
            seen = any ? std::max(seen, *times.begin()) : *times.begin();
            any = true;
        }
    }
    const CurveView& tracked = player.curve(first_switch + hand);
    for (std::size_t key = 0; key < tracked.size() && !player.is_on(hand, seen); ++key) {
        if (tracked.time(key) > seen && tracked.value(key) > 0.5) {
            seen = tracked.time(key);
        }
    }
    return seen;
}

double length_between(const std::array<Transform, joint_count>& places, std::size_t a, std::size_t b) {
    // Blender drops bones that are shorter than a tenth of this.
    constexpr double shortest_bone = 0.001;
    return std::max(glm::length(places.at(b).translation - places.at(a).translation), shortest_bone);
}

/// Adds nodes whose rest is given in clip space.
class RigMaker {
public:
    std::size_t add(std::string name, std::size_t pose, std::optional<std::size_t> parent,
                    const Transform& world, double length) {
        const Transform local = parent ? inverse(world_[*parent]) * world : world;
        rig_.skeleton.nodes.push_back({std::move(name), {}, parent, local});
        rig_.pose_of_node.push_back(pose);
        rig_.length_of_node.push_back(length);
        world_.push_back(world);
        return world_.size() - 1;
    }

    /// The joints of a hand that `has` says exist, at these places in clip space.
    template <typename Has>
    void add_hand(std::size_t hand, const std::array<Transform, joint_count>& places, const Has& has) {
        std::array<std::optional<std::size_t>, joint_count> nodes{};
        for (std::size_t joint = wrist; joint < joint_count; ++joint) {
            if (!has(joint)) {
                continue;
            }
            auto above = parent_of(joint);
            while (above && !nodes.at(*above)) {
                above = parent_of(*above);
            }
            const auto next = next_of(joint);
            const double length = next && has(*next) ? length_between(places, joint, *next) : tip_length;
            const std::size_t pose = pose_of(hand, joint);
            nodes.at(joint) =
                add(pose_name(pose), pose, above ? nodes.at(*above) : std::nullopt, places.at(joint), length);
        }
    }

    void add_gaze() {
        const std::size_t gaze = add(std::string(gaze_name), gaze_pose, std::nullopt, {}, tip_length);
        add(std::string(gaze_direction_name), gaze_direction_pose, gaze, {}, tip_length);
    }

    [[nodiscard]] HandRig take() { return std::move(rig_); }

private:
    HandRig rig_;
    std::vector<Transform> world_;
};

std::array<Transform, joint_count> places_of(const Player& player, std::size_t hand, const HandRest& rest) {
    const double seconds = rest.at_seconds.value_or(first_tracked(player, hand));
    std::array<Transform, joint_count> places{};
    for (std::size_t joint = wrist; joint < joint_count; ++joint) {
        places.at(joint) = world_of(player, pose_of(hand, joint), seconds);
    }
    if (rest.is_flat) {
        const Transform at = places[wrist];
        places = flat_hand(hand);
        for (Transform& place : places) {
            place = at * place;
        }
    }
    return places;
}

/// The tracks of one node, key by key.
class NodeTracksMaker {
public:
    NodeTracksMaker(const Player& player, const HandRig& rig, std::size_t node, const std::set<double>& times)
        : player_(player), pose_(rig.pose_of_node[node]), times_(times) {
        const auto parent = rig.skeleton.nodes[node].parent;
        if (parent) {
            parent_pose_ = rig.pose_of_node[*parent];
        }
        rotation_.node = translation_.node = node;
        rotation_.channel = Channel::rotation;
        translation_.channel = Channel::translation;
    }

    void add_to(Clip& clip) {
        for (const double seconds : times_) {
            add_key(seconds);
        }
        if (!times_.empty()) {
            clip.tracks.push_back(std::move(rotation_));
            clip.tracks.push_back(std::move(translation_));
        }
    }

private:
    void add_key(double seconds) {
        Transform local = world_of(player_, pose_, seconds);
        if (parent_pose_) {
            local = inverse(world_of(player_, *parent_pose_, seconds)) * local;
        }
        glm::dquat turn = local.rotation;
        if (rotation_.key_count() > 0 &&
            glm::dot(rotation_.rotation(rotation_.key_count() - 1), turn) < 0.0) {
            turn = -turn;
        }
        rotation_.add_key(seconds, std::array{turn.w, turn.x, turn.y, turn.z});
        const glm::dvec3& place = local.translation;
        translation_.add_key(seconds, std::array{place.x, place.y, place.z});
    }

    const Player& player_;
    std::size_t pose_ = 0;
    std::optional<std::size_t> parent_pose_{};
    const std::set<double>& times_;
    Track rotation_{};
    Track translation_{};
};

/// Per pose, when it has keys: with all joints of its hand, for where a joint is hangs on those above it.
std::vector<std::set<double>> times_of_owners(const Player& player, const HandRig& rig) {
    std::vector<std::set<double>> times(1 + hand_count);
    for (const std::size_t pose : rig.pose_of_node) {
        if (pose < gaze_pose) {
            add_pose_times(player, pose, times[pose == 0 ? 0 : 1 + hand_of(pose)]);
        }
    }
    return times;
}

/// The origin, or the direction as the place of a node below it.
void add_gaze_track(const Player& player, std::size_t node, bool is_direction, Clip& clip) {
    std::set<double> times;
    for (std::size_t i = 0; i < 3; ++i) {
        add_times(player.curve(first_gaze_curve + (is_direction ? 3 : 0) + i), times);
    }
    Track track{node, Channel::translation};
    for (const double seconds : times) {
        const ShownGaze gaze = player.gaze(seconds);
        const glm::dvec3 row = swapped(is_direction ? gaze.direction : gaze.origin);
        track.add_key(seconds, std::array{row.x, row.y, row.z});
    }
    if (track.key_count() > 0) {
        clip.tracks.push_back(std::move(track));
    }
}

}  // namespace

HandRig hand_rig(const Player& player, const HandRest& rest) {
    RigMaker maker;
    if (player.exists(0)) {
        maker.add(std::string(camera_name), 0, std::nullopt, {}, camera_length);
    }
    for (std::size_t hand = 0; hand < hand_count; ++hand) {
        maker.add_hand(hand, places_of(player, hand, rest),
                       [&](std::size_t joint) { return player.exists(pose_of(hand, joint)); });
    }
    if (player.has_gaze()) {
        maker.add_gaze();
    }
    return maker.take();
}

HandRig exact_rig(const Player& player, const HandRest& rest) {
    RigMaker maker;
    if (player.exists(0)) {
        maker.add(std::string(camera_name), 0, std::nullopt, {}, camera_length);
    }
    for (std::size_t hand = 0; hand < hand_count; ++hand) {
        const auto places = places_of(player, hand, {false, rest.at_seconds});
        for (std::size_t joint = none; joint < joint_count; ++joint) {
            const std::size_t pose = pose_of(hand, joint);
            if (player.exists(pose)) {
                const auto next = next_of(joint);
                maker.add(pose_name(pose), pose, std::nullopt, {},
                          next && player.exists(pose_of(hand, *next)) ? length_between(places, joint, *next)
                                                                      : tip_length);
            }
        }
    }
    if (player.has_gaze()) {
        maker.add_gaze();
    }
    return maker.take();
}

HandRig flat_hand_rig() {
    RigMaker maker;
    for (std::size_t hand = 0; hand < hand_count; ++hand) {
        auto places = flat_hand(hand);
        for (Transform& place : places) {
            place.translation +=
                glm::dvec3(hand == 0 ? left_wrist.x : -left_wrist.x, left_wrist.y, left_wrist.z);
        }
        maker.add_hand(hand, places, [](std::size_t) { return true; });
    }
    return maker.take();
}

Clip hands_clip(const Document& document, const Player& player, const HandRig& rig) {
    Clip clip{rig.skeleton, {}, {}, player.duration_seconds()};
    const auto times = times_of_owners(player, rig);
    for (std::size_t node = 0; node < rig.skeleton.nodes.size(); ++node) {
        const std::size_t pose = rig.pose_of_node[node];
        if (pose < gaze_pose) {
            NodeTracksMaker(player, rig, node, times[pose == 0 ? 0 : 1 + hand_of(pose)]).add_to(clip);
        } else {
            add_gaze_track(player, node, pose == gaze_direction_pose, clip);
        }
    }
    add_switches_and_markers(document, player, clip);
    return clip;
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
