// SPDX-License-Identifier: MIT
#include "formats/mrtk/hands.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/mrtk/axes.h"
#include "formats/mrtk/hand_shape.h"
#include "formats/mrtk/names.h"
#include "formats/mrtk/unity_curve.h"

namespace animbridge::mrtk {

namespace {

/// The position of the wrists of hands without a recording: in front of the chest, the left one at -X.
constexpr glm::dvec3 left_wrist{-0.2, 0.35, 1.2};

Transform world_of(const Player& player, std::size_t pose, double seconds) {
    const ShownPose shown = player.pose(pose, seconds);
    return {swapped(shown.meant), swapped(shown.position)};
}

/// The time of the pose's first key.
std::optional<double> first_key(const Player& player, std::size_t pose) {
    std::optional<double> first;
    for (std::size_t i = 0; i < pose_curves; ++i) {
        const CurveView& curve = player.curve(first_curve_of(pose) + i);
        if (!curve.empty()) {
            first = first ? std::min(*first, curve.time(0)) : curve.time(0);
        }
    }
    return first;
}

/// The time at which all joints of the hand have been seen, and the hand is tracked.
double first_tracked(const Player& player, std::size_t hand) {
    double seen = 0.0;
    bool any = false;
    for (std::size_t joint = wrist; joint < joint_count; ++joint) {
        if (const auto first = first_key(player, pose_of(hand, joint))) {
            seen = any ? std::max(seen, *first) : *first;
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

    /// Adds the joints of a hand for which `has` is true, at these positions in clip space.
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

    /// Unity's cameras look along their Z, with Y up.
    void add_camera() {
        const std::size_t node = add(std::string(camera_name), 0, std::nullopt, {}, camera_length);
        rig_.skeleton.nodes[node].camera = Camera{Camera::Axes::looks_along_y};
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

}  // namespace

HandRig hand_rig(const Player& player, const HandRest& rest) {
    RigMaker maker;
    if (player.exists(0)) {
        maker.add_camera();
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
        maker.add_camera();
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

}  // namespace animbridge::mrtk
