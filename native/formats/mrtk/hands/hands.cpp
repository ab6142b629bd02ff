// SPDX-License-Identifier: MIT
#include "formats/mrtk/hands/hands.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/mrtk/curves/curves.h"

namespace animbridge::mrtk::hands {

namespace {

/// The position of the wrists of hands without a recording: in front of the chest, the left one at -X.
constexpr glm::dvec3 left_wrist{-0.2, 0.35, 1.2};

Transform world_of(const play::Player& player, std::size_t pose, double seconds) {
    const play::ShownPose shown = player.pose(pose, seconds);
    return {play::swapped(shown.meant), play::swapped(shown.position)};
}

/// The time of the pose's first key.
std::optional<double> first_key(const play::Player& player, std::size_t pose) {
    std::optional<double> first;
    for (std::size_t i = 0; i < file::pose_curves; ++i) {
        const curves::CurveView& curve = player.curve(file::first_curve_of(pose) + i);
        if (!curve.empty()) {
            first = first ? std::min(*first, curve.time(0)) : curve.time(0);
        }
    }
    return first;
}

/// The time at which all joints of the hand have been seen, and the hand is tracked.
double first_tracked(const play::Player& player, std::size_t hand) {
    double seen = 0.0;
    bool any = false;
    for (std::size_t joint = file::wrist; joint < file::joint_count; ++joint) {
        if (const auto first = first_key(player, file::pose_of(hand, joint))) {
            seen = any ? std::max(seen, *first) : *first;
            any = true;
        }
    }
    const curves::CurveView& tracked = player.curve(file::first_switch + hand);
    for (std::size_t key = 0; key < tracked.size() && !player.is_on(hand, seen); ++key) {
        if (tracked.time(key) > seen && tracked.value(key) > 0.5) {
            seen = tracked.time(key);
        }
    }
    return seen;
}

double length_between(const std::array<Transform, file::joint_count>& places, std::size_t a, std::size_t b) {
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
    void add_hand(std::size_t hand, const std::array<Transform, file::joint_count>& places, const Has& has) {
        std::array<std::optional<std::size_t>, file::joint_count> nodes{};
        for (std::size_t joint = file::wrist; joint < file::joint_count; ++joint) {
            if (!has(joint)) {
                continue;
            }
            auto above = parent_of(joint);
            while (above && !nodes.at(*above)) {
                above = parent_of(*above);
            }
            const auto next = next_of(joint);
            const double length = next && has(*next) ? length_between(places, joint, *next) : tip_length;
            const std::size_t pose = file::pose_of(hand, joint);
            nodes.at(joint) = add(file::pose_name(pose), pose, above ? nodes.at(*above) : std::nullopt,
                                  places.at(joint), length);
        }
    }

    /// Unity's cameras look along their Z, with Y up.
    void add_camera() {
        const std::size_t node = add(std::string(file::camera_name), 0, std::nullopt, {}, camera_length);
        rig_.skeleton.nodes[node].camera = Camera{Camera::Axes::looks_along_y};
    }

    void add_gaze() {
        const std::size_t gaze = add(std::string(file::gaze_name), gaze_pose, std::nullopt, {}, tip_length);
        add(std::string(file::gaze_direction_name), gaze_direction_pose, gaze, {}, tip_length);
    }

    [[nodiscard]] HandRig take() { return std::move(rig_); }

private:
    HandRig rig_;
    std::vector<Transform> world_;
};

std::array<Transform, file::joint_count> places_of(const play::Player& player, std::size_t hand,
                                                   const HandRest& rest) {
    const double seconds = rest.at_seconds.value_or(first_tracked(player, hand));
    std::array<Transform, file::joint_count> places{};
    for (std::size_t joint = file::wrist; joint < file::joint_count; ++joint) {
        places.at(joint) = world_of(player, file::pose_of(hand, joint), seconds);
    }
    if (rest.is_flat) {
        const Transform at = places[file::wrist];
        places = flat_hand(hand);
        for (Transform& place : places) {
            place = at * place;
        }
    }
    return places;
}

}  // namespace

HandRig hand_rig(const play::Player& player, const HandRest& rest) {
    RigMaker maker;
    if (player.exists(0)) {
        maker.add_camera();
    }
    for (std::size_t hand = 0; hand < file::hand_count; ++hand) {
        maker.add_hand(hand, places_of(player, hand, rest),
                       [&](std::size_t joint) { return player.exists(file::pose_of(hand, joint)); });
    }
    if (player.has_gaze()) {
        maker.add_gaze();
    }
    return maker.take();
}

HandRig exact_rig(const play::Player& player, const HandRest& rest) {
    RigMaker maker;
    if (player.exists(0)) {
        maker.add_camera();
    }
    for (std::size_t hand = 0; hand < file::hand_count; ++hand) {
        const auto places = places_of(player, hand, {false, rest.at_seconds});
        for (std::size_t joint = file::none; joint < file::joint_count; ++joint) {
            const std::size_t pose = file::pose_of(hand, joint);
            if (player.exists(pose)) {
                const auto next = next_of(joint);
                maker.add(file::pose_name(pose), pose, std::nullopt, {},
                          next && player.exists(file::pose_of(hand, *next))
                              ? length_between(places, joint, *next)
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
    for (std::size_t hand = 0; hand < file::hand_count; ++hand) {
        auto places = flat_hand(hand);
        for (Transform& place : places) {
            place.translation +=
                glm::dvec3(hand == 0 ? left_wrist.x : -left_wrist.x, left_wrist.y, left_wrist.z);
        }
        maker.add_hand(hand, places, [](std::size_t) { return true; });
    }
    return maker.take();
}

namespace {

constexpr std::size_t finger_count = 5;
constexpr std::size_t longest_finger = 5;

/// The joints of a finger, base first. The thumb lacks one: its tip is the fourth.
struct Finger {
    std::size_t first;
    std::size_t joints;
};
constexpr std::array<Finger, finger_count> fingers = {
    {{file::thumb_metacarpal, 4}, {7, 5}, {12, 5}, {17, 5}, {22, 5}}};

/// The left hand's; the right hand's is its mirror image.
struct Shape {
    glm::dvec3 base_mm;                                 ///< of the metacarpal, from the wrist
    double metacarpal_degrees;                          ///< towards the thumb, viewed from above
    double finger_degrees;                              ///< the same, from the knuckle on
    std::array<double, longest_finger - 1> lengths_mm;  ///< from each joint to the next
};
// The thumb has no middle phalanx.
constexpr std::array<Shape, finger_count> shapes = {{
    {{20.0, 14.0, -9.0}, 42.0, 30.0, {46.22, 31.57, 21.67, 0.0}},
    {{12.0, 20.0, 0.0}, 7.0, 4.0, {68.12, 39.78, 22.38, 15.82}},
    {{1.0, 20.0, 1.5}, 1.0, 0.0, {64.60, 44.63, 26.33, 17.40}},
    {{-8.5, 19.0, 0.0}, -6.0, -4.0, {58.00, 41.37, 25.65, 17.30}},
    {{-17.0, 18.0, -3.0}, -12.0, -9.0, {53.69, 32.74, 18.11, 15.96}},
}};
constexpr glm::dvec3 palm_mm{0.0, 48.0, -7.0};
/// The thumb's nail faces sideways.
constexpr double thumb_roll_degrees = 50.0;
constexpr double thumb_pitch_degrees = -15.0;

double radians(double degrees) { return degrees * std::acos(-1.0) / 180.0; }

glm::dquat turn(double degrees, const glm::dvec3& axis) { return glm::angleAxis(radians(degrees), axis); }

/// The axes of a joint whose bone points `degrees` towards the thumb.
glm::dquat axes_of(std::size_t finger, double degrees) {
    const glm::dquat yaw = turn(-degrees, {0, 0, 1});
    return finger == 0 ? yaw * turn(thumb_pitch_degrees, {1, 0, 0}) * turn(thumb_roll_degrees, {0, 1, 0})
                       : yaw;
}

void place_finger(std::size_t finger, std::array<Transform, file::joint_count>& hand) {
    const Shape& shape = shapes.at(finger);
    glm::dvec3 place = shape.base_mm;
    for (std::size_t i = 0; i < fingers.at(finger).joints; ++i) {
        // A tip has the axes of the bone before it.
        const double degrees = i == 0 ? shape.metacarpal_degrees : shape.finger_degrees;
        Transform& joint = hand.at(fingers.at(finger).first + i);
        joint = {axes_of(finger, degrees), place / 1000.0};
        if (i + 1 < fingers.at(finger).joints) {
            place += joint.rotation * glm::dvec3(0.0, shape.lengths_mm.at(i), 0.0);
        }
    }
}

/// The mirror image at x = 0.
Transform mirrored(const Transform& joint) {
    const glm::dquat& q = joint.rotation;
    const glm::dvec3& p = joint.translation;
    return {{q.w, q.x, -q.y, -q.z}, {-p.x, p.y, p.z}};
}

const Finger* finger_of(std::size_t joint) {
    for (const Finger& finger : fingers) {
        if (joint >= finger.first && joint < finger.first + finger.joints) {
            return &finger;
        }
    }
    return nullptr;
}

}  // namespace

std::optional<std::size_t> parent_of(std::size_t joint) {
    if (joint == file::none || joint == file::wrist) {
        return std::nullopt;
    }
    const Finger* const finger = finger_of(joint);
    return finger == nullptr || joint == finger->first ? std::size_t{file::wrist} : joint - 1;
}

std::optional<std::size_t> next_of(std::size_t joint) {
    if (joint == file::wrist) {
        return std::size_t{file::middle_knuckle};
    }
    const Finger* const finger = finger_of(joint);
    const bool is_last = finger == nullptr || joint + 1 == finger->first + finger->joints;
    return is_last ? std::nullopt : std::optional(joint + 1);
}

std::array<Transform, file::joint_count> flat_hand(std::size_t hand) {
    std::array<Transform, file::joint_count> joints{};
    joints.at(file::palm).translation = palm_mm / 1000.0;
    for (std::size_t finger = 0; finger < finger_count; ++finger) {
        place_finger(finger, joints);
    }
    if (hand == 1) {
        for (Transform& joint : joints) {
            joint = mirrored(joint);
        }
    }
    return joints;
}

}  // namespace animbridge::mrtk::hands
