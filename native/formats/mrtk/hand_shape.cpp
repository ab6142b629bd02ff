// SPDX-License-Identifier: MIT
#include "formats/mrtk/hand_shape.h"

#include <cmath>

namespace animbridge::mrtk {

namespace {

constexpr std::size_t finger_count = 5;
constexpr std::size_t longest_finger = 5;

/// The joints of a finger, base first. The thumb lacks one: its tip is the fourth.
struct Finger {
    std::size_t first;
    std::size_t joints;
};
constexpr std::array<Finger, finger_count> fingers = {
    {{thumb_metacarpal, 4}, {7, 5}, {12, 5}, {17, 5}, {22, 5}}};

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

void place_finger(std::size_t finger, std::array<Transform, joint_count>& hand) {
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
    if (joint == none || joint == wrist) {
        return std::nullopt;
    }
    const Finger* const finger = finger_of(joint);
    return finger == nullptr || joint == finger->first ? std::size_t{wrist} : joint - 1;
}

std::optional<std::size_t> next_of(std::size_t joint) {
    if (joint == wrist) {
        return std::size_t{middle_knuckle};
    }
    const Finger* const finger = finger_of(joint);
    const bool is_last = finger == nullptr || joint + 1 == finger->first + finger->joints;
    return is_last ? std::nullopt : std::optional(joint + 1);
}

std::array<Transform, joint_count> flat_hand(std::size_t hand) {
    std::array<Transform, joint_count> joints{};
    joints.at(palm).translation = palm_mm / 1000.0;
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

}  // namespace animbridge::mrtk
